// SPDX-License-Identifier: Apache-2.0
package org.example.walletcore;

/**
 * An event, copied out of the library: what most apps look at first, and as JSON all of it.
 *
 * @param kind       one of those below, or of a later library: ignore it
 * @param request    the request that a completion ends; else 0
 * @param error      why it failed; else null
 * @param isLocked   the lock state; true for other events
 * @param pinOutcome of a completion: 1 right, 2 wrong, 3 blocked for a time, 4 for good; else 0
 * @param stepSerial what to choose with; 0 if it is no step
 * @param stepName   what to draw; empty if it is no step
 * @param json       as wallet_core_events.schema.json says; that of cards says who the owner is
 */
public record Event(int kind, long request, WalletCoreException error, boolean isLocked,
    int pinOutcome, long stepSerial, String stepName, String json) {
  public static final int CONFIGURATION = 1, LOCK_STATE = 2, COMPLETION = 3, VERSION_STATE = 4,
      STEP = 5;

  /** Says nothing of the user, so that logs do not either. */
  @Override
  public String toString() {
    return "Event of kind " + kind;
  }
}
