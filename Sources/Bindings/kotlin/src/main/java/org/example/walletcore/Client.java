// SPDX-License-Identifier: Apache-2.0
package org.example.walletcore;

/**
 * A user-interface engine attached to the wallet. A PIN is ASCII digits and is wiped before the method
 * returns or throws. Methods that return a number make a request, which a completion Event with this
 * number ends.
 */
public final class Client implements AutoCloseable {
  static {
    System.loadLibrary("wallet_core_jni"); // does nothing if WalletCore has loaded it
  }

  /** The decisions on a replacement. */
  public static final int REFUSE = 1, ALLOW = 2;
  /** The kinds of codes: those of WALLET_CORE_SYMBOLOGY_.... */
  public static final int QR_CODE = 1, PDF417 = 2, OTHER_SYMBOLOGY = 3;

  private final long number;

  /** Attaches. A take-over abandons the dead client of the same name and locks the wallet. */
  public Client(String name, boolean takeOver) {
    number = attach(name, takeOver);
  }

  private static native long attach(String name, boolean takeOver);
  /** Detaches. */
  @Override public native void close();
  /** Waits for an event. Returns null after the milliseconds; -1 waits without a limit. */
  public native Event nextEvent(long milliseconds);

  /** Opens the app: 1 is a launch, 2 a resume. The link may be null. */
  public native void openApp(int startup, String universalLink);
  /** Answers a step. The PIN is null except for the action "enter". */
  public native void choose(long serial, String action, byte[] pin);
  /** Answers a step with the raw bytes of a scanned code: QR_CODE, PDF417 or OTHER_SYMBOLOGY. */
  public native void chooseScanned(long serial, int symbology, byte[] bytes);
  /** Answers a step by choosing an option of the request of a relying party, by its index. */
  public native void chooseOption(long serial, long option);

  public native long register(byte[] pin);
  public native long unlock(byte[] pin);
  public native long checkPin(byte[] pin);
  /** Asks the provider whether it accepts a PIN now; costs no attempt. */
  public native long pinState();
  public native long changePin(byte[] pin, byte[] newPin);
  /** Decides on the wallet of Event.replacementSession, which waits to take the place of this one. */
  public native long decideReplacement(String session, int decision, byte[] pin);
  public native long enableBiometricUnlock(byte[] pin);
  public native long disableBiometricUnlock();
  public native long unlockWithBiometrics();
  public native long wipe();
  public native long cards();
  /**
   * Presents cards to a verifier. Show the user who asks for which claims, then ask for the PIN, also
   * where biometrics unlocked the wallet. The completion's JSON has "presentations" if the PIN is right.
   *
   * @param cards the ids of the cards
   * @param paths for each card the ways to its claims, each a JSON array such as
   *              ["address","street_address"]
   */
  public native long present(
      String[] cards, String[][] paths, String nonce, String audience, byte[] pin);
  /** Asks what a relying party wants by a link or code; the completion's JSON has it as "sharing". */
  public native long beginSharing(String link, boolean fromOtherDevice);
  /** Chooses one of the options of the request with this id. */
  public native long chooseSharingOption(String sharing, long option);
  /** Shares what is chosen; the completion's JSON has the end as "shared" if the PIN is right. */
  public native long confirmSharing(String sharing, byte[] pin);
  public native long refuseSharing(String sharing);
  /** Asks for the history; the completion's JSON has it as "activities". */
  public native long activities();
  /** Fetches the update policy and the configuration now. */
  public native long refresh();
  public native void cancel(long request);
}
