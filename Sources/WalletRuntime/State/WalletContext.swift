internal import WalletConfiguration
internal import WalletCrypto
internal import WalletModel
internal import WalletPlatform
internal import WalletStorage

/// What the wallet's threads share: constant values and objects that are safe to share.
struct WalletContext: Sendable {
  var platform: any PlatformBridges
  let environment: SystemEnvironment
  let log: Log
  let configuration: ConfigurationRepository
  let updatePolicy: UpdatePolicyRepository
  let refresher: ConfigurationRefresher
  let lock: WalletLock
  let storage: StorageStatus
  let prompts: PromptRegistry
  let registrations: RegistrationLimit
  let replacement: KnownReplacement

  /// - Throws: `versionBlocked` if the update policy blocks this app version.
  func requireAllowedVersion() throws(WalletError) {
    guard case .block(let updateAvailable) = updatePolicy.current.value else { return }
    throw WalletError(
      .versionBlocked, "The update policy blocks this app version.",
      data: ["update_available": .truth(updateAvailable)])
  }

  /// Unlocks with `vaultKey`, unless the wallet was locked since `epoch`. Returns whether it is
  /// unlocked.
  ///
  /// - Throws: `versionBlocked` if the update policy blocks this app version by now.
  func unlock(with vaultKey: Secret, since epoch: UInt64) throws(WalletError) -> Bool {
    updatePolicy.followCalendar()
    try requireAllowedVersion()
    return lock.unlock(with: vaultKey, since: epoch)
  }

  /// Reads what an earlier run stored in the directory, and starts the refresh, which stores there
  /// what it fetches.
  func settle(in directory: StorageDirectory) {
    configuration.load(from: directory)
    updatePolicy.load(from: directory)
    refresher.start()
  }
}
