// SPDX-License-Identifier: Apache-2.0
package org.example.walletcore;

/**
 * The three bridges of wallet_core.h, to be implemented by the app. The library calls the methods on its
 * own threads, several at a time. Answer each call with WalletCore.reply exactly once, in the method or
 * later on any thread.
 */
public interface Platform {
  int IOS = 1, ANDROID = 2;
  int PROTECTION_NONE = 0, PROTECTION_BIOMETRIC = 1;
  /** The statuses to reply. An app may also use its own codes, from -1999 to FAILED. */
  int OK = 0, NOT_RECOGNISED = 1, CANCELLED_BY_USER = 2, LOCKED_OUT = 3, LOCKED_OUT_FOR_GOOD = 4,
      NOT_ENROLLED = 5, KEY_INVALIDATED = 6, KEY_MISSING = 7, UNAVAILABLE = 8, FAILED = -1000;

  void publicKey(long call, String name);
  void sign(long call, String name, byte[] payload);
  void deleteSigningKey(long call, String name);
  void encrypt(long call, String name, int protection, byte[] plaintext);
  void decrypt(long call, String name, int protection, byte[] ciphertext);
  void deleteEncryptionKey(long call, String name);
  /** The library no longer waits for the call: close its prompt. */
  void cancel(long call);
  void storagePath(long call);
  void biometricsAvailable(long call);
  void deviceSecure(long call);
  void internetReachable(long call);
  void cameraState(long call);
}
