// SPDX-License-Identifier: Apache-2.0
package org.example.walletcore;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * The wallet of this process. This class and Client have one method for each function of wallet_core.h
 * that an app needs; the header says what it does and on which thread. A method throws
 * WalletCoreException where the function returns a status other than OK.
 */
public final class WalletCore {
  static {
    System.loadLibrary("wallet_core_jni");
  }

  private WalletCore() {}

  public static native boolean isInitialized();
  /** The storage path is a directory for the library alone; if null, Platform.storagePath gives it. */
  public static native void init(
      byte[] configuration, String appVersion, String appId, String storagePath);
  /** The rules that users expect: Platform.IOS or Platform.ANDROID. */
  public static native void initPlatformSupport(Platform platform, int rules);
  /** Answers a call of Platform and wipes the bytes. Returns the status; one other than OK is harmless. */
  public static native int reply(long call, int status, byte[] bytes, String message);
  /**
   * Hands over an HTTP stack in place of libcurl; null takes it away. At any time, but before init where
   * there is no libcurl.
   */
  public static native void setHttpStack(HttpStack stack);
  /**
   * Answers a call of HttpStack. Returns the status; one other than OK is harmless. A response beyond a limit
   * of the library, or with a NUL in a text, is replaced by INCOMPLETE, so that no call stays open.
   */
  public static int httpReply(long call, HttpStack.Response response) {
    return HttpCalls.reply(call, response);
  }

  public static native boolean isLocked();
  public static native boolean hasRegistration();
  public static native boolean isBiometricUnlockEnabled();
  public static native void lock();
  /** Reports 1: foreground, 2: background, 3: the user touched something. */
  public static native void notifyLifecycle(int event);

  /* The C code calls the following methods. */

  private static void call(
      Platform platform, int method, long call, byte[] key, int protection, byte[] bytes) {
    try {
      String name = new String(key, UTF_8);
      switch (method) {
        case 0 -> platform.publicKey(call, name);
        case 1 -> platform.sign(call, name, bytes);
        case 2 -> platform.deleteSigningKey(call, name);
        case 3 -> platform.encrypt(call, name, protection, bytes);
        case 4 -> platform.decrypt(call, name, protection, bytes);
        case 5 -> platform.deleteEncryptionKey(call, name);
        case 6 -> platform.cancel(call);
        case 7 -> platform.storagePath(call);
        case 8 -> platform.biometricsAvailable(call);
        case 9 -> platform.deviceSecure(call);
        case 10 -> platform.internetReachable(call);
        default -> platform.cameraState(call);
      }
    } catch (Throwable thrown) { // only its class is reported: its message may have user data
      reply(call, Platform.FAILED, null, "the host threw " + thrown.getClass().getName());
    }
  }

  private static Event event(int kind, long request, WalletCoreException error, boolean isLocked,
      int pinOutcome, byte[] replacementSession, long replacementTakesEffectInMs, long stepSerial,
      byte[] stepName, byte[] json) {
    return new Event(kind, request, error, isLocked, pinOutcome,
        new String(replacementSession, UTF_8), replacementTakesEffectInMs, stepSerial,
        new String(stepName, UTF_8), new String(json, UTF_8));
  }

  private static byte[] utf8(String text) {
    if (text.indexOf(0) >= 0) throw new IllegalArgumentException("a text with a NUL in it");
    return (text + "\0").getBytes(UTF_8);
  }
}
