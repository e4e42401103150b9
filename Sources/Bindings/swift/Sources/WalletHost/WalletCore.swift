// SPDX-License-Identifier: Apache-2.0
import CWalletCore

/// The wallet of this process.
public enum WalletCore {
  public enum Lifecycle: Int32, Sendable {
    case foreground = 1
    case background, userActivity
  }

  /// Whether `start` has succeeded in this process. If so, a new engine takes over.
  public static var isStarted: Bool { wallet_core_is_initialized() == 1 }

  /// Hands the platform to the library, before or after `start`, and again at any time.
  public static func use(_ platform: some Platform) throws(WalletCoreError) {
    var signing = wallet_core_signing_key_bridge(platform)
    var encryption = wallet_core_encryption_key_bridge(platform)
    var utilities = wallet_core_utilities_bridge(platform)
    do {
      try check { wallet_core_init_platform_support(&signing, &encryption, &utilities, $0) }
    } catch {
      // The call takes all contexts or none, so they are released here.
      signing.destroy?(signing.context)
      encryption.destroy?(encryption.context)
      utilities.destroy?(utilities.context)
      throw error
    }
  }

  /// Starts the wallet, which is locked then. Needs no network and no platform yet; may be retried.
  ///
  /// - Parameter configuration: what `wallet-provider client-configuration` prints.
  public static func start(
    configuration: [UInt8], appVersion: String, appID: String
  ) throws(WalletCoreError) {
    try refuseNUL(in: appVersion, appID)
    try check { error in
      appVersion.withCString { appVersion in
        appID.withCString { appID in
          configuration.withUnsafeBufferPointer { configuration in
            var options = wallet_core_options()
            options.struct_size = MemoryLayout<wallet_core_options>.size
            options.embedded_configuration = configuration.baseAddress
            options.embedded_configuration_length = configuration.count
            options.app_version = appVersion
            options.app_id = appID
            return wallet_core_init(&options, error)
          }
        }
      }
    }
  }

  /// Locks the wallet. It is locked when this returns.
  public static func lock() throws(WalletCoreError) {
    try check { wallet_core_lock($0) }
  }

  /// Reports the app's life cycle and user activity, so that an idle wallet is locked in time.
  public static func notify(_ lifecycle: Lifecycle) throws(WalletCoreError) {
    try check { wallet_core_notify_lifecycle(wallet_core_lifecycle(lifecycle.rawValue), $0) }
  }

  public static func isLocked() throws(WalletCoreError) -> Bool {
    try ask(wallet_core_is_locked)
  }

  /// May wait up to 10 seconds for the platform to say where the storage is.
  public static func hasRegistration() throws(WalletCoreError) -> Bool {
    try ask(wallet_core_has_registration)
  }

  public static func isBiometricUnlockEnabled() throws(WalletCoreError) -> Bool {
    try ask(wallet_core_is_biometric_unlock_enabled)
  }

  private static func ask(
    _ question: (UnsafeMutablePointer<Int32>?, ErrorPlace?) -> wallet_core_status
  ) throws(WalletCoreError) -> Bool {
    var answer: Int32 = 0
    try check { question(&answer, $0) }
    return answer == 1
  }
}
