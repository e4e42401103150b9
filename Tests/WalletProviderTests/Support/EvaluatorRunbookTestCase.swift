import CSQLite
import Foundation
import Synchronization
import WalletEvaluator
import WalletProtocol
import WalletProvider
import WalletProviderStores
import WalletSignatures
import XCTest

/// A provider and an evaluator whose directory is copied, changed and opened again.
class EvaluatorRunbookTestCase: StoreTestCase {
  /// A provider on the rows of a harness, with an evaluator that was opened for it.
  struct Started {
    let provider: Provider
    let evaluator: Evaluator
    let administration: WalletAdministration
    /// What the evaluator has found out about its database at the start.
    let findings: [EvaluatorFinding]
  }

  private let directory = NSTemporaryDirectory() + "evaluator-runbook-" + UUID().uuidString

  override func setUpWithError() throws {
    try super.setUpWithError()
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: false)
  }

  override func tearDown() { try? FileManager.default.removeItem(atPath: directory) }

  /// The directory of a copy.
  func path(_ name: String) -> String { directory + "/" + name }

  func evaluator(of harness: ProviderHarness) -> String {
    EvaluatorDirectory.path(inData: harness.path)
  }

  /// A provider whose database names its evaluator.
  func startedHarness() async throws -> ProviderHarness {
    let harness = try ProviderHarness()
    try await harness.provider.prepareSecrets()
    return harness
  }

  /// Starts a provider on the rows of the harness, with the evaluator in a copy.
  func start(_ copy: String, _ harness: ProviderHarness) async throws -> Started {
    let found = Findings()
    let evaluator = try EvaluatorDirectory(path: path(copy)).evaluator(
      policy: harness.settings.attemptPolicy, clock: harness.clock, report: found.add)
    return try await started(evaluator, harness, findings: found.all)
  }

  func started(
    _ evaluator: Evaluator, _ harness: ProviderHarness, findings: [EvaluatorFinding] = []
  ) async throws -> Started {
    let store = try harness.secondStore()
    let provider = Provider(
      identity: harness.directory.identity, store: store, evaluator: evaluator,
      settings: harness.settings)
    try await provider.prepareSecrets()
    return Started(
      provider: provider, evaluator: evaluator,
      administration: WalletAdministration(store: store, evaluator: evaluator),
      findings: findings)
  }

  /// Copies id, key and database, the database while it is in use.
  func backUpEvaluator(of harness: ProviderHarness, to name: String) throws {
    try FileManager.default.createDirectory(
      atPath: path(name), withIntermediateDirectories: false,
      attributes: [.posixPermissions: 0o700])
    for file in ["evaluator-id", "evaluator.key"] {
      try copy(evaluator(of: harness) + "/" + file, to: path(name) + "/" + file)
    }
    let target = path(name) + "/evaluator.sqlite"
    var database: OpaquePointer?
    XCTAssertEqual(sqlite3_open(evaluator(of: harness) + "/evaluator.sqlite", &database), SQLITE_OK)
    defer { sqlite3_close(database) }
    sqlite3_busy_timeout(database, 10_000)
    XCTAssertEqual(sqlite3_exec(database, "VACUUM INTO '\(target)'", nil, nil, nil), SQLITE_OK)
    try setPrivate(target)
  }

  func copy(_ path: String, to copy: String) throws {
    try FileManager.default.copyItem(atPath: path, toPath: copy)
    try setPrivate(copy)
  }

  func write(_ text: String, to path: String) throws {
    try text.write(toFile: path, atomically: false, encoding: .utf8)
    try setPrivate(path)
  }

  private func setPrivate(_ path: String) throws {
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
  }

  func newKeyLine() -> String { Base64URL.encode(SecureRandom.bytes(32)) + "\n" }

  func assertValid(
    _ outcome: InstructionOutcome, file: StaticString = #filePath, line: UInt = #line
  ) {
    guard case .valid = outcome else { return XCTFail("\(outcome)", file: file, line: line) }
  }

  /// Checks that the provider fails, which a server answers with 503.
  func assertFails(
    file: StaticString = #filePath, line: UInt = #line, _ work: () async throws -> some Any
  ) async {
    do {
      let outcome = try await work()
      XCTFail("\(outcome)", file: file, line: line)
    } catch is StoreFailure {
    } catch { XCTFail("\(error)", file: file, line: line) }
  }

  /// Deletes a wallet as `wallet delete` does. Its app learns of it and registers anew.
  func assertRegistersAnew(
    _ wallet: TestWallet, _ started: Started, file: StaticString = #filePath, line: UInt = #line
  ) async throws {
    let isDeleted = try await started.administration.delete(wallet.id)
    XCTAssertTrue(isDeleted, file: file, line: line)
    let unknown = try await wallet.check("123654", at: started.provider)
    XCTAssertEqual(unknown, .unknownWallet, file: file, line: line)
    try await register(wallet, at: started.provider)
  }

  /// Registers the wallet anew and checks its PIN.
  func register(_ wallet: TestWallet, at provider: Provider) async throws {
    let challenge = try await wallet.registrationChallenge(at: provider)
    try wallet.accept(
      try await wallet.send(
        wallet.preparePin(.register, pin: "123654", challenge: challenge), to: provider))
    assertValid(try await wallet.check("123654", at: provider))
  }
}

/// What an evaluator has reported.
private final class Findings: Sendable {
  private let found = Mutex<[EvaluatorFinding]>([])

  var all: [EvaluatorFinding] { found.withLock { $0 } }

  @Sendable func add(_ finding: EvaluatorFinding) { found.withLock { $0.append(finding) } }
}
