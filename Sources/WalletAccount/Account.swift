public import WalletCrypto
public import WalletModel
public import WalletPlatform
public import WalletProtocol
public import WalletStorage
public import WalletTransport

/// The wallet's account at the provider: its registration and its instructions.
///
/// An `Account` is made for one request and used only on the job queue's thread that carries out
/// the request.
public struct Account {
  package let store: SealedStore
  package let accountKey: Secret
  let platform: any PlatformBridges
  let transport: any Transport
  let configurations: ConfigurationAccess
  let environment: SystemEnvironment
  let log: Log
  private(set) var cancellation: Cancellation
  let abort: Cancellation
  private let whileAway: @Sendable (() -> Void) -> Void
  private let whenTold: @Sendable (ReplacementNotice?) -> Void
  /// Receives what a verified answer to `pin_state` tells of wrong PINs; nil if there were none.
  var whenFailuresTold: @Sendable (FailedAttempts?) -> Void = { _ in }

  /// - Parameters:
  ///   - cancellation: Cancels this request, until its point of no return.
  ///   - abort: Cancels this request at any moment, for a wipe or the end of the core.
  ///   - whileAway: Runs its argument, which takes long and uses neither store nor bridges.
  ///   - whenTold: Receives the notice, in a verified answer, of another wallet that waits to take
  ///     the place of this one; nil if the answer says that no wallet does.
  public init(
    store: SealedStore, accountKey: Secret, platform: any PlatformBridges,
    transport: any Transport, configurations: ConfigurationAccess, environment: SystemEnvironment,
    log: Log,
    cancellation: Cancellation, abort: Cancellation,
    whileAway: @escaping @Sendable (() -> Void) -> Void = { $0() },
    whenTold: @escaping @Sendable (ReplacementNotice?) -> Void = { _ in }
  ) {
    self.store = store
    self.accountKey = accountKey
    self.platform = platform
    self.transport = transport
    self.configurations = configurations
    self.environment = environment
    self.log = log
    self.cancellation = cancellation
    self.abort = abort
    self.whileAway = whileAway
    self.whenTold = whenTold
  }

  var configuration: ConfigurationClaims { configurations.current() }

  /// Returns whether the certificate of a registration is stored; needs no key.
  public static func isRegistered(in store: SealedStore) throws(WalletError) -> Bool {
    try store.read { try $0.marker(AccountRecords.registeredMarker) } == 1
  }

  /// Returns whether the provider still has to be told that the certificate is stored; needs no
  /// key.
  public static func awaitsConfirmation(in store: SealedStore) throws(WalletError) -> Bool {
    try store.read { transaction in
      try transaction.marker(AccountRecords.registeredMarker) == 1
        && transaction.marker(AccountRecords.confirmedMarker) != 1
    }
  }

  /// Returns the hardware key's identifier, for a wipe; needs no key.
  public static func signingKeyIdentifier(in store: SealedStore) throws(WalletError) -> String? {
    try store.read { try $0.keyring(AccountRecords.signingKeyIdentifier) }
      .map { String(decoding: $0, as: UTF8.self) }
  }

  /// Runs `body` and turns errors of other types into `WalletError`. The only one expected here is
  /// a lack of memory: an unreadable record, key or answer is already reported as a `WalletError`
  /// by the code that reads it.
  func translating<Result>(_ body: () throws -> Result) throws(WalletError) -> Result {
    do {
      return try body()
    } catch let error as WalletError {
      throw error
    } catch CryptoError.outOfMemory {
      throw WalletError(.outOfResources, "Not enough memory for guarded memory or the PIN key.")
    } catch {
      throw WalletError(.internalDefect, "An unexpected error of type \(type(of: error)).")
    }
  }

  /// Runs `derive`, which derives a key. That takes long, so `whileAway` lets other jobs use
  /// the wallet meanwhile.
  func deriving<Key>(_ derive: () throws -> Key) throws -> Key {
    var key: Result<Key, any Error>?
    whileAway { key = Result { try derive() } }
    guard let key else { throw WalletError(.internalDefect, "A key was not derived.") }
    return try key.get()
  }

  func storedRegistration() throws(WalletError) -> RegistrationRecord? {
    try store.read { try AccountRecords.load($0, key: accountKey) }
  }

  /// The id of this wallet at the provider; nil before the registration.
  public func walletID() throws(WalletError) -> String? { try storedRegistration()?.walletID }

  func pinSalt() throws(WalletError) -> Secret {
    try store.read { try PinSalt.inForce.load($0, key: accountKey) }
  }

  /// This account for what is completed although the request was cancelled.
  var withoutCancellation: Account {
    var account = self
    account.cancellation = abort
    return account
  }

  func requireNotCancelled() throws(WalletError) {
    if cancellation.isCancelled || abort.isCancelled {
      throw WalletError(.cancelled, "The request was cancelled before anything was decided.")
    }
  }

  /// Returns the stored hardware key; the bridge is needed only to sign.
  func hardwareKey(of record: RegistrationRecord) throws(WalletError) -> HardwareKey {
    guard let encoded = record.hardwareKey, let der = Base64URL.decode(encoded),
      let subjectKey = try? SubjectPublicKey(der: der)
    else {
      throw WalletError(
        .storageCorrupt, "The stored hardware key is unreadable; wipe to start over.")
    }
    return HardwareKey(
      identifier: record.keyIdentifier, subjectKey: subjectKey, platform: platform,
      cancellation: cancellation)
  }

  func client(_ hardwareKey: HardwareKey) -> InstructionClient {
    InstructionClient(
      transport: transport, configurations: configurations, hardwareKey: hardwareKey,
      clock: environment.clock,
      wait: { [whileAway, clock = environment.clock] time, cancellation in
        whileAway { cancellation.wait(time, clock: clock) }
      },
      cancellation: cancellation,
      whenTold: { [whenTold, whenFailuresTold] answer in
        whenTold(answer.replacement)
        if answer.instruction == .pinState { whenFailuresTold(answer.failures) }
      })
  }
}
