internal import WalletConfiguration
internal import WalletModel
internal import WalletPlatform
internal import WalletStorage

/// What the wallet's threads share: constant values and objects that are safe to share.
struct WalletContext: Sendable {
  let platform: any PlatformBridges
  let environment: SystemEnvironment
  let log: Log
  let configuration: ConfigurationRepository
  let updatePolicy: UpdatePolicyRepository
  let refresher: ConfigurationRefresher
  let lock: WalletLock
  let storage: StorageStatus
  let prompts: PromptRegistry
  let registrations: RegistrationLimit

  /// - Throws: `versionBlocked` if the update policy blocks this app version.
  func requireAllowedVersion() throws(WalletError) {
    guard case .block(let updateAvailable) = updatePolicy.current.value else { return }
    throw WalletError(
      .versionBlocked, "The update policy blocks this app version.",
      data: ["update_available": .truth(updateAvailable)])
  }

  /// Reads what an earlier run stored in the directory, and starts the refresh, which stores there
  /// what it fetches.
  func settle(in directory: StorageDirectory) {
    configuration.load(from: directory)
    updatePolicy.load(from: directory)
    refresher.start()
  }
}
