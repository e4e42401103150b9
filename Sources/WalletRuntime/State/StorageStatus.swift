internal import WalletAccount
internal import WalletModel
internal import WalletPlatform
internal import WalletStorage
internal import WalletUseCases

/// The storage directory once it is open, whether it contains a wallet, whether biometric unlock is
/// enabled, and the last known block of the PIN. Reading these never waits for the job queue.
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
    /// Whether a prompt found that the key of biometric unlock is permanently gone.
    var isBiometricKeyLost = false
    /// Nil without a wallet.
    var pinBlock: LastPinBlock?
    /// Nil without a wallet; not stored.
    var pinAttempts: KnownAttempts?
    /// How often `registration` was set.
    var reading: UInt64 = 0
    /// Whether the storage is about to be read again.
    var isRereading = false

    mutating func set(_ registration: Registration, biometrics: Bool, pinBlock: LastPinBlock?) {
      self.registration = registration
      reading &+= 1
      isRereading = false
      let isThere = if case .known(true) = registration { true } else { false }
      isBiometricUnlockEnabled = isThere && biometrics
      isBiometricKeyLost = isThere && isBiometricKeyLost
      self.pinBlock = isThere ? pinBlock : nil
      if !isThere { pinAttempts = nil }
    }
  }

  /// What is read from the directory when it is opened.
  private struct Contents {
    var registration: Registration
    var biometrics = false
    var pinBlock: LastPinBlock?
  }

  private let state = Monitor(State())

  var directory: StorageDirectory? { state.withLock { $0.directory } }

  var registration: Registration { state.withLock { $0.registration } }

  /// Whether it is known that there is no wallet.
  var hasNoWallet: Bool { if case .known(false) = registration { true } else { false } }

  /// Whether biometric unlock is enabled, as far as is known now.
  var isBiometricUnlockEnabled: Bool { state.withLock { $0.isBiometricUnlockEnabled } }

  func setRegistration(_ registration: Registration) {
    state.update {
      $0.set(registration, biometrics: $0.isBiometricUnlockEnabled, pinBlock: $0.pinBlock)
    }
  }

  /// Returns what is known, which reading it is from, and whether the caller has to read the
  /// storage again. After a failure exactly one caller has to.
  func noteQuestion() -> (registration: Registration, reading: UInt64, mustReread: Bool) {
    state.withLock { state in
      var mustReread = false
      if case .failed = state.registration, !state.isRereading {
        state.isRereading = true
        mustReread = true
      }
      return (state.registration, state.reading, mustReread)
    }
  }

  /// Lets the next question after a failure read the storage again, even if this reading had no
  /// result.
  func endRereading() { state.withLock { $0.isRereading = false } }

  func setBiometricUnlockEnabled(_ isEnabled: Bool) {
    state.update { state in
      guard case .known(true) = state.registration else { return }
      state.isBiometricUnlockEnabled = isEnabled
      state.isBiometricKeyLost = false
    }
  }

  /// Whether the key of biometric unlock is permanently gone, as far as is known now. Enabling or
  /// disabling biometric unlock sets it to false, whether a request or a flow does that.
  var isBiometricKeyLost: Bool {
    get { state.withLock { $0.isBiometricKeyLost } }
    set { state.withLock { $0.isBiometricKeyLost = newValue } }
  }

  /// The last known block of the PIN, which may be over.
  var pinBlock: LastPinBlock? { state.withLock { $0.pinBlock } }

  /// The attempts left after the last wrong PIN.
  var pinAttempts: KnownAttempts? { state.withLock { $0.pinAttempts } }

  func setPinAttempts(_ attempts: KnownAttempts?) {
    state.update { state in
      guard case .known(true) = state.registration else { return }
      state.pinAttempts = attempts
    }
  }

  func setPinBlock(_ block: LastPinBlock?) {
    state.update { state in
      guard case .known(true) = state.registration else { return }
      state.pinBlock = block
    }
  }

  /// Replaces the block that an earlier process has stored by the same block on the core's clock.
  /// Does nothing if a newer answer of the provider has replaced the stored block meanwhile.
  func settlePinBlock(_ stored: PinBlock, _ settled: LastPinBlock) {
    state.withLock { state in
      guard case .stored(stored) = state.pinBlock else { return }
      state.pinBlock = settled
    }
  }

  /// Waits until it is known whether there is a wallet. Returns nil after the deadline. Does not
  /// return a failure of the reading with the number `reading` or of an earlier one.
  func waitForRegistration(
    after reading: UInt64, until deadline: Milliseconds, clock: any BootClock
  ) -> Registration? {
    state.wait(until: deadline, clock: clock) { state in
      switch state.registration {
      case .unknown: nil
      case .failed: state.reading > reading ? state.registration : nil
      case .known: state.registration
      }
    }
  }

  /// Opens the directory at `path` and reads whether it contains a wallet.
  func open(path: String, environment: SystemEnvironment) throws(WalletError) -> StorageDirectory {
    let directory = try StorageDirectory(path: path, environment: environment)
    let contents = Self.inspect(directory)
    state.update {
      $0.directory = directory
      $0.set(
        contents.registration, biometrics: contents.biometrics, pinBlock: contents.pinBlock)
    }
    return directory
  }

  /// Reads the directory again, after its store could not be read.
  func inspectAgain() {
    guard let directory else { return }
    let contents = Self.inspect(directory)
    state.update {
      $0.set(
        contents.registration, biometrics: contents.biometrics, pinBlock: contents.pinBlock)
    }
  }

  /// Releases the directory when the core ends.
  func release() {
    let directory = state.update { state in
      defer { state = State() }
      return state.directory
    }
    directory?.release()
  }

  private static func inspect(_ directory: StorageDirectory) -> Contents {
    do {
      // If a wipe was interrupted, the database is deleted first, so that the wallet does not
      // become visible again.
      if try PendingWipe.load(from: directory).begun != nil {
        try SealedStore.destroy(in: directory)
      }
      guard SealedStore.exists(in: directory) else { return Contents(registration: .known(false)) }
      let store = try SealedStore.open(in: directory)
      defer { store.close() }
      return Contents(
        registration: .known(try Account.isRegistered(in: store)),
        biometrics: try Account.isBiometricUnlockEnabled(in: store),
        pinBlock: try Account.pinBlock(in: store).map { .stored($0) })
    } catch {
      return Contents(registration: .failed(error))
    }
  }
}
