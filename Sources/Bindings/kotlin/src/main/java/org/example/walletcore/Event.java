// SPDX-License-Identifier: Apache-2.0
package org.example.walletcore;

/**
 * An event, copied from the library: the fields that most apps need first, and the whole as JSON.
 *
 * @param kind       one of the constants below; ignore the others, which newer libraries may have
 * @param request    the request that a completion ends; else 0
 * @param error      why the request failed; else null
 * @param isLocked   the lock state; true for other events
 * @param pinOutcome of a completion: 1 right, 2 wrong, 3 blocked for a time, 4 for good,
 *                   5 not blocked; else 0
 * @param replacementSession of a completion: the id of another wallet that waits to take the place of
 *                   this one; tell the user, and call Client.decideReplacement. Empty if there is none
 * @param replacementTakesEffectInMs the milliseconds until it takes the place; else 0
 * @param stepSerial the serial to answer the step with; 0 if the event is not a step
 * @param stepName   the step to draw; empty if the event is not a step
 * @param json       as in wallet_core_events.schema.json; with cards it has personal data
 */
public record Event(int kind, long request, WalletCoreException error, boolean isLocked,
    int pinOutcome, String replacementSession, long replacementTakesEffectInMs, long stepSerial,
    String stepName, String json) {
  public static final int CONFIGURATION = 1, LOCK_STATE = 2, COMPLETION = 3, VERSION_STATE = 4,
      STEP = 5;

  /** Cards have changed: call Client.cards() again. */
  public static final int CARDS_CHANGED = 6;

  /** Leaves out the content, so that no log has data of the user. */
  @Override
  public String toString() {
    return "Event of kind " + kind;
  }
}
