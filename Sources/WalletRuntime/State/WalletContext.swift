internal import WalletConfiguration
internal import WalletCrypto
internal import WalletModel
internal import WalletPlatform
internal import WalletStorage
internal import WalletTransport

/// What the wallet's threads share: constant values and objects that are safe to share.
struct WalletContext: Sendable {
  var platform: any PlatformBridges
  let environment: SystemEnvironment
  let log: Log
  let provider: ProviderAddress
  let configuration: ConfigurationRepository
  let updatePolicy: UpdatePolicyRepository
  let refresher: ConfigurationRefresher
  let statusLists: StatusListFetcher
  let lock: WalletLock
  let storage: StorageStatus
  let prompts: PromptRegistry
  let registrations: RegistrationLimit
  let replacement: KnownReplacement
  let orphanTries: OrphanTries
  let sharings = KnownSharings()
  let promisedCopies = PromisedCopies()
  let cardWatch: CardWatch

  /// - Throws: `versionBlocked` if the update policy blocks this app version.
  func requireAllowedVersion() throws(WalletError) {
    guard case .block(let updateAvailable) = updatePolicy.current.value else { return }
    throw Self.versionBlocked(updateAvailable: updateAvailable)
  }

  static func versionBlocked(updateAvailable: Bool) -> WalletError {
    WalletError(
      .versionBlocked, "The update policy blocks this app version.",
      data: ["update_available": .truth(updateAvailable)])
  }

  /// How an unlock with the vault key ended.
  enum UnlockEnd {
    case unlocked, lockedMeanwhile
    case versionBlocked(updateAvailable: Bool)
    /// The registration lapsed, so there is nothing to unlock.
    case lapsed
  }

  /// Unlocks with `vaultKey`, unless the wallet was locked since `epoch`.
  ///
  /// - Parameter version: The state of this app version; nil right after a registration. A block by
  ///   the update policy that came meanwhile does not undo the registration.
  func unlock(
    with vaultKey: Secret, since epoch: UInt64, under version: VersionState?
  ) -> UnlockEnd {
    if case .block(let updateAvailable) = version {
      return .versionBlocked(updateAvailable: updateAvailable)
    }
    guard lock.unlock(with: vaultKey, since: epoch) else { return .lockedMeanwhile }
    // If the registration lapsed on the other thread before this unlock, that thread found the
    // wallet locked and did not lock it. So it is locked here.
    guard case .known(false) = storage.registration else { return .unlocked }
    lock.lock()
    return .lapsed
  }

  /// Runs `body`, which need not succeed or is tried again later. A failure is only logged.
  ///
  /// - Returns: The failure.
  @discardableResult
  func attempt(
    _ area: String, _ failure: String, level: LogLevel = .info,
    _ body: () throws(WalletError) -> Void
  ) -> WalletError? {
    do {
      try body()
      return nil
    } catch {
      log(level, area, "\(failure): \(error.message)")
      return error
    }
  }

  /// Reads what an earlier run stored in the directory, and starts the refresh, which stores there
  /// what it fetches.
  func settle(in directory: StorageDirectory) {
    configuration.load(from: directory)
    updatePolicy.load(from: directory)
    refresher.start()
  }
}
