// SPDX-License-Identifier: Apache-2.0
package org.example.walletcore;

/**
 * A user-interface engine. A PIN is ASCII digits and is wiped before the method returns or throws.
 * Methods that return a number make a request, which a completion Event of that number ends.
 */
public final class Client implements AutoCloseable {
  static {
    System.loadLibrary("wallet_core_jni"); // does nothing where WalletCore did
  }

  private final long number;

  /** Attaches; with take-over the dead client of that name is abandoned, and the wallet locked. */
  public Client(String name, boolean takeOver) {
    number = attach(name, takeOver);
  }

  private static native long attach(String name, boolean takeOver);
  /** Detaches. */
  @Override public native void close();
  /** Takes an event; null when so many milliseconds have passed, -1 waits without end. */
  public native Event nextEvent(long milliseconds);

  /** 1 is a launch, 2 a resume. The link may be null. */
  public native void openApp(int startup, String universalLink);
  /** The PIN is null but for the action "enter". */
  public native void choose(long serial, String action, byte[] pin);
  /** What was scanned, by a WALLET_CORE_SYMBOLOGY_.... */
  public native void chooseScanned(long serial, int symbology, byte[] bytes);

  public native long register(byte[] pin);
  public native long unlock(byte[] pin);
  public native long checkPin(byte[] pin);
  public native long changePin(byte[] pin, byte[] newPin);
  public native long enableBiometricUnlock(byte[] pin);
  public native long disableBiometricUnlock();
  public native long unlockWithBiometrics();
  public native long wipe();
  public native long cards();
  public native long present(String card, String[] claims, String nonce, String audience);
  public native void cancel(long request);
}
