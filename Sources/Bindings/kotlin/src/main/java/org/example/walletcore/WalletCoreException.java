// SPDX-License-Identifier: Apache-2.0
package org.example.walletcore;

import static java.nio.charset.StandardCharsets.UTF_8;

/** An error of the library. Its message is for developers and has no user data. */
public final class WalletCoreException extends RuntimeException {
  public static final int CLIENT_DETACHED = -10;

  /** WALLET_CORE_ERROR_... */
  public final int status;
  /** WALLET_CORE_CATEGORY_..., to choose a reaction by. */
  public final int category;
  /** The name of the status, e.g. "STALE_STEP". */
  public final String name;
  /** Details as a JSON object. */
  public final String data;

  WalletCoreException(int status, int category, byte[] name, byte[] message, byte[] data) {
    super(new String(message, UTF_8));
    this.status = status;
    this.category = category;
    this.name = new String(name, UTF_8);
    this.data = new String(data, UTF_8);
  }

  /** Like that of other exceptions, with the name of the status. */
  @Override
  public String toString() {
    return getClass().getName() + ": " + name + ": " + getMessage();
  }
}
