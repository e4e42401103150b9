internal import WalletAccount
internal import WalletModel
internal import WalletPlatform
internal import WalletStorage

/// The storage directory once it is open, whether it contains a wallet and whether biometric unlock
/// is enabled. Reading these never waits for the job queue.
final class StorageStatus: Sendable {
  /// Whether there is a wallet.
  enum Registration: Sendable {
    /// The storage path is not known yet.
    case unknown
    case known(Bool)
    /// The storage could not be read.
    case failed(WalletError)
  }

  private struct State: Sendable {
    var directory: StorageDirectory?
    var registration = Registration.unknown
    /// Never true without a wallet.
    var isBiometricUnlockEnabled = false

    mutating func set(_ registration: Registration, biometrics: Bool) {
      self.registration = registration
      guard case .known(true) = registration else { return isBiometricUnlockEnabled = false }
      isBiometricUnlockEnabled = biometrics
    }
  }

  private let state = Monitor(State())

  var directory: StorageDirectory? { state.withLock { $0.directory } }

  var registration: Registration { state.withLock { $0.registration } }

  /// Whether biometric unlock is enabled, as far as is known now.
  var isBiometricUnlockEnabled: Bool { state.withLock { $0.isBiometricUnlockEnabled } }

  func setRegistration(_ registration: Registration) {
    state.update { $0.set(registration, biometrics: $0.isBiometricUnlockEnabled) }
  }

  /// Records why the storage could not be read, unless it was read meanwhile.
  func setFailedIfUnknown(_ error: WalletError) {
    state.update { state in
      guard case .unknown = state.registration else { return }
      state.set(.failed(error), biometrics: false)
    }
  }

  func setBiometricUnlockEnabled(_ isEnabled: Bool) {
    state.update { $0.set($0.registration, biometrics: isEnabled) }
  }

  /// Waits until it is known whether there is a wallet. Returns nil after the deadline.
  func waitForRegistration(until deadline: Milliseconds, clock: any BootClock) -> Registration? {
    state.wait(until: deadline, clock: clock) { state in
      if case .unknown = state.registration { return nil }
      return state.registration
    }
  }

  /// Opens the directory at `path` and reads whether it contains a wallet.
  func open(path: String, environment: SystemEnvironment) throws(WalletError) -> StorageDirectory {
    let directory = try StorageDirectory(path: path, environment: environment)
    let (registration, biometrics) = Self.inspect(directory)
    state.update {
      $0.directory = directory
      $0.set(registration, biometrics: biometrics)
    }
    return directory
  }

  /// Reads the directory again, after its store could not be read.
  func inspectAgain() {
    guard let directory else { return }
    let (registration, biometrics) = Self.inspect(directory)
    state.update { $0.set(registration, biometrics: biometrics) }
  }

  /// Releases the directory when the core ends.
  func release() {
    let directory = state.update { state in
      defer { state = State() }
      return state.directory
    }
    directory?.release()
  }

  private static func inspect(
    _ directory: StorageDirectory
  ) -> (Registration, biometrics: Bool) {
    do {
      // An interrupted wipe is completed before the wallet becomes visible again.
      if try PendingWipe.load(from: directory).begun != nil {
        try SealedStore.destroy(in: directory)
      }
      guard SealedStore.exists(in: directory) else { return (.known(false), false) }
      let store = try SealedStore.open(in: directory)
      defer { store.close() }
      return (
        .known(try Account.isRegistered(in: store)),
        try Account.isBiometricUnlockEnabled(in: store)
      )
    } catch {
      return (.failed(error), false)
    }
  }
}
