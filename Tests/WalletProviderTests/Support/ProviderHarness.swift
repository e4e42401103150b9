import Foundation
import Synchronization
import WalletAttempts
import WalletEvaluator
import WalletProtocol
import WalletProvider
import WalletProviderStores
import WalletSignatures
import XCTest

/// A provider in a temporary directory, with a clock controlled by the test, on the store of the
/// test case. Its evaluator has a file of its own, which all providers of the harness share.
final class ProviderHarness: Sendable {
  let path: String
  let clock: TestClock
  let storeLocation: StoreLocation
  private let storeClock: any ProviderClock
  let observer = CountingObserver()
  let directory: DataDirectory
  let settings: ProviderSettings
  private let vetting: (any IdentityVetting)?
  /// What a server holds from its start to its end.
  private struct Running {
    let store: any CountingProviderStore
    let evaluator: Evaluator
    var provider: Provider
  }

  private let running: Mutex<Running>
  private let learnt = Mutex<ConfigurationClaims?>(nil)

  /// - Parameters:
  ///   - isDemonstration: proof people without an authoritative source.
  ///   - replacementWait: the wait of a wallet that replaces another, in a demonstration.
  ///   - isTimeOfStore: use the time of a database, which the test shifts there.
  init(
    settings: ProviderSettings = ProviderSettings(), vetting: (any IdentityVetting)? = nil,
    clock: TestClock = TestClock(), isDemonstration: Bool = true,
    replacementWait: Int64 = 0, isTimeOfStore: Bool = false
  ) throws {
    var settings = settings
    settings.proofing.demonstration = isDemonstration
    // Without an address of its status lists a provider issues no PIDs that wallets take.
    if settings.publicURL == nil { settings.publicURL = try PublicURL("http://127.0.0.1:8740") }
    if isDemonstration { settings.proofing.replacementWait = replacementWait }
    self.clock = clock
    storeClock = isTimeOfStore ? SystemWallClock() : clock
    self.vetting = vetting
    path = NSTemporaryDirectory() + "provider-test-" + UUID().uuidString
    try DataDirectory.prepare(path)
    settings.evaluatorKeys =
      try EvaluatorDirectory(path: EvaluatorDirectory.path(inData: path)).keys.grantKeys
    self.settings = settings
    directory = try DataDirectory(path: path, settings: settings, now: clock.now / 1000)
    storeLocation = try StoreLocation(directory)
    if isTimeOfStore { try storeLocation.fakeClock() }
    let store = try storeLocation.open(
      clock: storeClock, authentication: try directory.identity.rowAuthentication())
    let evaluator = try Self.evaluator(in: path, settings, clock)
    let provider = Provider(
      identity: directory.identity, store: store, evaluator: evaluator, settings: settings,
      vetting: vetting, observer: observer)
    running = Mutex(Running(store: store, evaluator: evaluator, provider: provider))
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  var store: any CountingProviderStore { running.withLock { $0.store } }

  var provider: Provider { running.withLock { $0.provider } }

  var evaluator: Evaluator { running.withLock { $0.evaluator } }

  /// Starts again with another evaluator, which must have the keys of the one in the directory.
  func restart(with evaluator: any PinEvaluator) throws {
    let provider = Provider(
      identity: directory.identity, store: store, evaluator: evaluator, settings: settings,
      vetting: vetting, observer: observer)
    running.withLock { $0.provider = provider }
  }

  /// The evaluator in the data directory, opened with connections of its own. Its time is that of
  /// the test's clock, also if the store has another.
  private static func evaluator(
    in path: String, _ settings: ProviderSettings, _ clock: TestClock
  ) throws -> Evaluator {
    try EvaluatorDirectory(existing: EvaluatorDirectory.path(inData: path))
      .evaluator(policy: settings.attemptPolicy, clock: clock)
  }

  /// The evaluator, like that of another process.
  func secondEvaluator() throws -> Evaluator {
    try Self.evaluator(in: path, settings, clock)
  }

  /// Starts again with the keys that are in the directory now, and opens the evaluator again.
  func restart() throws {
    let identity = try DataDirectory.existingIdentity(path)
    let store = try storeLocation.open(
      clock: storeClock, authentication: try identity.rowAuthentication())
    let evaluator = try secondEvaluator()
    let provider = Provider(
      identity: identity, store: store, evaluator: evaluator, settings: settings,
      vetting: vetting, observer: observer)
    running.withLock { $0 = Running(store: store, evaluator: evaluator, provider: provider) }
  }

  /// A provider with separate connections, like another process.
  func secondProvider() throws -> Provider {
    Provider(
      identity: directory.identity,
      store: try secondStore(), evaluator: try secondEvaluator(), settings: settings,
      vetting: vetting, observer: observer)
  }

  /// The configuration that wallets use: the learnt one, otherwise the first.
  var configuration: ConfigurationClaims {
    learnt.withLock { $0 } ?? directory.configuration.claims
  }

  /// Makes wallets use another configuration.
  func learn(_ configuration: ConfigurationClaims) { learnt.withLock { $0 = configuration } }

  /// The verified content of an answer to the request in `body`.
  func result(
    _ answer: InstructionAnswer, to body: [UInt8], claims: InstructionClaims
  ) throws -> InstructionOutcome {
    let envelope = try WireJSON.decode(InstructionEnvelope.self, from: body)
    let message = try SignedMessage(parsing: answer.result)
    let key = try XCTUnwrap(configuration.resultKeys.first { $0.id == message.keyID })
    let verifier = try XCTUnwrap(
      PublicKeyVerifier(ed25519: try XCTUnwrap(Base64URL.decode(key.key))))
    let result = try message.content(
      InstructionResultClaims.self, type: .instructionResult, verifier: verifier)
    XCTAssertTrue(
      result.answers(
        claims, requestHash: sha256Text(envelope.signature.utf8),
        issuer: configuration.providerID))
    return result.outcome
  }

  /// A store with separate connections on the same rows.
  func secondStore() throws -> any CountingProviderStore {
    try storeLocation.open(
      clock: storeClock, authentication: try directory.identity.rowAuthentication())
  }

  /// All bytes of the store.
  func dump() throws -> Data { try storeLocation.dump() }

  /// The database, on PostgreSQL.
  func database() throws -> TestDatabase {
    guard case .database(let url) = storeLocation else { throw FileProblem("there is only a file") }
    return TestDatabase(text: url.text)
  }

  /// The stored row of the wallet.
  func stored(_ wallet: TestWallet) async throws -> StoredWallet? {
    let id = wallet.id
    return try await store.transaction { try $0.wallet(id: id) }
  }
}

/// The kind of problem with which `work` is refused; fails if it is not refused.
func problem(
  file: StaticString = #filePath, line: UInt = #line, _ work: () async throws -> some Any
) async -> ProblemKind? {
  do {
    _ = try await work()
    XCTFail("was not refused", file: file, line: line)
  } catch let error as ProblemError {
    return error.problem.kind
  } catch {
    XCTFail("failed with \(error)", file: file, line: line)
  }
  return nil
}
