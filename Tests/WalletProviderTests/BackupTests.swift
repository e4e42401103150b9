import CSQLite
import Foundation
import TestSupport
import WalletProtocol
import WalletProvider
import XCTest

/// Backups made as the article on them describes, and the effects of a restore on wallets.
class BackupTests: StoreTestCase {
  private let directory = NSTemporaryDirectory() + "provider-backup-" + UUID().uuidString

  override func setUpWithError() throws {
    try super.setUpWithError()
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: false)
  }

  override func tearDown() { try? FileManager.default.removeItem(atPath: directory) }

  private func options(_ data: String, _ location: StoreLocation) -> [String] {
    switch location {
    case .file: ["--data", data]
    case .database(let url): ["--data", data, "--database", url.text]
    }
  }

  private func start(_ harness: ProviderHarness) throws -> ServerProcess {
    try ServerProcess(options(harness.path, harness.storeLocation))
  }

  /// A copy of the database, made while servers may write to it, and of the evaluator's. The
  /// evaluator's comes last, so that it knows each PIN key that the other names.
  private func backUp(_ harness: ProviderHarness, _ name: String) throws -> String {
    let copy = "\(directory)/\(name)"
    if case .file(let path) = harness.storeLocation {
      try copyFile(path, to: copy)
    } else {
      try harness.database().backUp(to: copy)
    }
    try copyFile(harness.path + "/evaluator/evaluator.sqlite", to: copy + ".evaluator")
    return copy
  }

  private func copyFile(_ path: String, to copy: String) throws {
    var database: OpaquePointer?
    XCTAssertEqual(sqlite3_open(path, &database), SQLITE_OK)
    defer { sqlite3_close(database) }
    sqlite3_busy_timeout(database, 10_000)
    XCTAssertEqual(sqlite3_exec(database, "VACUUM INTO '\(copy)'", nil, nil, nil), SQLITE_OK)
  }

  /// Restores the saved files and a copy of the database; returns the options for a server on them.
  private func restore(
    _ harness: ProviderHarness, _ copy: String, _ name: String
  ) throws -> [String] {
    let data = "\(directory)/\(name)"
    let files = FileManager.default
    try files.createDirectory(
      atPath: data, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    for file in ["keys", "provider-id"] {
      try files.copyItem(atPath: "\(harness.path)/\(file)", toPath: "\(data)/\(file)")
    }
    let evaluator = "\(data)/evaluator"
    try files.createDirectory(
      atPath: evaluator, withIntermediateDirectories: false,
      attributes: [.posixPermissions: 0o700])
    for file in ["evaluator-id", "evaluator.key"] {
      try files.copyItem(
        atPath: "\(harness.path)/evaluator/\(file)", toPath: "\(evaluator)/\(file)")
    }
    try files.copyItem(atPath: copy + ".evaluator", toPath: evaluator + "/evaluator.sqlite")
    try files.setAttributes(
      [.posixPermissions: 0o600], ofItemAtPath: evaluator + "/evaluator.sqlite")
    guard case .file = harness.storeLocation else {
      // The database also contains the configuration.
      let database = try PostgreSQLServer.shared().makeDatabase()
      try database.restore(from: copy)
      return options(data, .database(try database.url))
    }
    try files.copyItem(
      atPath: harness.path + "/configuration.jwt", toPath: data + "/configuration.jwt")
    let database = DataDirectory.databasePath(in: data)
    try files.moveItem(atPath: copy, toPath: database)
    try files.setAttributes([.posixPermissions: 0o600], ofItemAtPath: database)
    return options(data, harness.storeLocation)
  }

  private func send(
    _ request: TestWallet.Prepared, to server: ServerProcess, _ harness: ProviderHarness
  ) throws -> InstructionOutcome {
    let answer = try Program.curl(
      try server.url() + request.path, "--header",
      "Content-Type: application/json", "--max-time", "\(Int(Patience.seconds))", "--data-binary",
      String(decoding: request.body, as: UTF8.self))
    XCTAssertEqual(answer.status, 0, answer.errors)
    return try harness.result(
      try WireJSON.decode(InstructionAnswer.self, from: Array(answer.output.utf8)),
      to: request.body, claims: request.claims)
  }

  private func check(
    _ wallet: TestWallet, _ pin: String, at server: ServerProcess, _ harness: ProviderHarness
  ) throws -> InstructionOutcome {
    let request = try wallet.prepareChallenge(.checkPin)
    let asked = try send(
      request, to: server, harness)
    guard case .challenge = asked else { return asked }
    let challenge = try wallet.challenge(in: asked, of: request)
    return try send(
      wallet.preparePin(.checkPin, pin: pin, challenge: challenge), to: server, harness)
  }

  private func isRight(_ outcome: InstructionOutcome) -> Bool {
    if case .valid = outcome { true } else { false }
  }

  func testWalletsContinueFromABackupMadeUnderLoad() async throws {
    let harness = try ProviderHarness(clock: TestClock(SystemWallClock().now))
    let server = try start(harness)
    var wallets: [TestWallet] = []
    for _ in 1...3 { wallets.append(try await TestWallet.confirmed(harness)) }

    // Wallets unlock one after the other until the last backup is made.
    let (unlocks, report) = AsyncStream.makeStream(of: Bool.self)
    let stop = DispatchSemaphore(value: 0)
    let load = UnlockLoad(wallets: wallets, report: report) { [self] in
      isRight(try check($0, "123654", at: server, harness))
    }
    Thread.detachNewThread { load.run(until: stop) }
    var copies: [String] = []
    var count = 0
    for await isRight in unlocks {
      XCTAssertTrue(isRight)
      count += 1
      guard copies.count < 5 else { continue }
      if count % 4 == 0 { copies.append(try backUp(harness, "under-load-\(count)")) }
      if copies.count == 5 { stop.signal() }
    }
    XCTAssertEqual(server.end(), 0)

    for (number, copy) in copies.enumerated() {
      let options = try restore(harness, copy, "restored-\(number)")
      let checked = try Program.run(Program.provider, ["check", "--port", "0"] + options)
      XCTAssertEqual(checked.status, 0, checked.output)
      if number == 0 { try checkWithoutTheEvaluatorsDatabase(options) }
      let restored = try ServerProcess(options)
      for wallet in wallets {
        XCTAssertTrue(isRight(try check(wallet, "123654", at: restored, harness)))
      }
      XCTAssertEqual(restored.end(), 0)
    }
    print("backups: \(copies.count) whole, made during \(count) unlocks")
  }

  /// A restore has no record, by which it would be known that there was a database.
  private func checkWithoutTheEvaluatorsDatabase(_ options: [String]) throws {
    let place = try XCTUnwrap(options.firstIndex(of: "--data"))
    let evaluator = options[place + 1] + "/evaluator/"
    XCTAssertFalse(FileManager.default.fileExists(atPath: evaluator + "evaluator.record"))
    let database = evaluator + "evaluator.sqlite"
    try FileManager.default.moveItem(atPath: database, toPath: database + ".kept")
    let checked = try Program.run(Program.provider, ["check", "--port", "0"] + options)
    XCTAssertEqual(checked.status, 1, checked.output)
    XCTAssertTrue(checked.output.contains("there is no database \(database)"), checked.output)
    try FileManager.default.moveItem(atPath: database + ".kept", toPath: database)
  }

  func testStateAfterTheBackupIsLostWithDefinedAnswers() async throws {
    let harness = try ProviderHarness(clock: TestClock(SystemWallClock().now))
    let server = try start(harness)
    let guessed = try await TestWallet.confirmed(harness)
    let deleted = try await TestWallet.confirmed(harness)
    XCTAssertEqual(
      try check(guessed, "111222", at: server, harness), .wrong(attemptsLeft: 3, finalRound: false))
    let copy = try backUp(harness, "old")
    let later = try await TestWallet.confirmed(harness)
    for _ in 1...3 { _ = try check(guessed, "111222", at: server, harness) }
    guard case .blocked = try check(guessed, "123654", at: server, harness) else {
      return XCTFail("not blocked")
    }
    _ = try await deleted.delete()
    XCTAssertEqual(server.end(), 0)

    let restored = try ServerProcess(try restore(harness, copy, "restored"))
    // The wallet's sequence number is ahead, which is accepted. The block is gone, and the evaluator,
    // whose record is in no backup, begins each wallet in its last round.
    XCTAssertEqual(
      try check(guessed, "111222", at: restored, harness),
      .wrong(attemptsLeft: 3, finalRound: true))
    XCTAssertTrue(isRight(try check(guessed, "123654", at: restored, harness)))
    XCTAssertEqual(
      try check(guessed, "111222", at: restored, harness),
      .wrong(attemptsLeft: 3, finalRound: false), "the right PIN begins the rounds anew")
    XCTAssertEqual(try check(later, "123654", at: restored, harness), .unknownWallet)
    XCTAssertTrue(isRight(try check(deleted, "123654", at: restored, harness)))
    XCTAssertEqual(restored.end(), 0)
  }
}

/// Wallets that unlock in turn on one thread.
private final class UnlockLoad: @unchecked Sendable {
  // Used only by the thread of `run` until it has ended.
  private let wallets: [TestWallet]
  private let unlock: (TestWallet) throws -> Bool
  /// Receives whether each unlock succeeded; finished at the end.
  private let report: AsyncStream<Bool>.Continuation

  init(
    wallets: [TestWallet], report: AsyncStream<Bool>.Continuation,
    unlock: @escaping (TestWallet) throws -> Bool
  ) {
    self.wallets = wallets
    self.report = report
    self.unlock = unlock
  }

  func run(until stop: DispatchSemaphore) {
    while stop.wait(timeout: .now()) == .timedOut {
      for wallet in wallets { report.yield((try? unlock(wallet)) == true) }
    }
    report.finish()
  }
}
