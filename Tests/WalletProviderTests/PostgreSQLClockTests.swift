import Foundation
import TestSupport
import WalletProtocol
import WalletProvider
import WalletProviderPostgreSQL
import XCTest

/// The time is that of the database, whatever the replicas' clocks say.
final class PostgreSQLClockTests: StoreTestCase {
  override class var kind: StoreKind { .postgreSQL }

  private let wrong = "654123"

  /// A wallet at a provider with a database clock that the test shifts.
  private func makeWallet(
    _ settings: ProviderSettings = ProviderSettings()
  ) async throws -> (TestWallet, TestDatabase) {
    let harness = try ProviderHarness(settings: settings, isTimeOfStore: true)
    return (try await TestWallet.confirmed(harness), try harness.database())
  }

  /// Lets time pass in the database and at the evaluator, which has a clock of its own.
  private func shift(_ wallet: TestWallet, seconds: Int64) throws {
    try wallet.harness.database().shiftClock(seconds: Double(seconds))
    wallet.harness.clock.advance(seconds * 1000)
  }

  /// How far the clock of the database has gone on by itself since then, at most: 1 ms more, because
  /// it is rounded.
  private func milliseconds(since start: ContinuousClock.Instant) -> Int64 {
    Int64((ContinuousClock.now - start) / .milliseconds(1)) + 1
  }

  func testUsesTheTimeOfTheServer() async throws {
    let database = try PostgreSQLServer.shared().makeDatabase()
    try database.fakeClock()
    let store = try PostgreSQLProviderStore(try database.url)
    let first = try await store.transaction { try $0.now }
    XCTAssertEqual(Double(first), Double(SystemWallClock().now), accuracy: 60_000)
    try database.shiftClock(seconds: -86_400)
    let second = try await store.transaction { try $0.now }
    XCTAssertEqual(Double(second), Double(first) - 86_400_000, accuracy: 60_000)
    try database.shiftClock(seconds: -100 * 365 * 86_400)
    let longAgo = try await store.transaction { try $0.now }
    XCTAssertEqual(longAgo, 0)
  }

  func testUsesTheTimeAtWhichTheWalletIsLocked() async throws {
    var settings = ProviderSettings()
    settings.challengeLife = 3_600_000
    let (wallet, database) = try await makeWallet(settings)
    for _ in 1...4 { _ = try await wallet.check(wrong) }
    let request = try wallet.prepareChallenge(.checkPin)
    let holder = try TestConnection(database.text)
    try holder.execute("BEGIN; SELECT id FROM wallet FOR UPDATE")
    let provider = wallet.harness.provider
    async let answer = provider.answer(request.instruction, body: request.body)
    let waiting = "SELECT count(*) FROM pg_locks WHERE NOT granted"
    let isWaiting = try await eventuallySuspending { try database.execute(waiting) != ["0"] }
    XCTAssertTrue(isWaiting)
    // The block ends while the request waits for its wallet.
    try shift(wallet, seconds: 60)
    try holder.execute("COMMIT")
    let outcome = try wallet.harness.result(
      try await answer, to: request.body, claims: request.claims)
    let challenge = try wallet.challenge(in: outcome, of: request)
    let checked = try await wallet.send(
      wallet.preparePin(.checkPin, pin: "123654", challenge: challenge))
    guard case .valid = checked else { return XCTFail("\(checked)") }
  }

  func testBlockEndsByTheClockOfTheDatabase() async throws {
    let (wallet, _) = try await makeWallet()
    let start = ContinuousClock.now
    for _ in 1...4 { _ = try await wallet.check(wrong) }
    guard case .blocked(let left, counted: false) = try await wallet.check("123654") else {
      return XCTFail("is not blocked")
    }
    XCTAssertLessThanOrEqual(left, 60_000)
    XCTAssertGreaterThanOrEqual(Int64(left), 60_000 - milliseconds(since: start))
    try shift(wallet, seconds: 60)
    let share = try await wallet.checkRight()
    XCTAssertEqual(share, wallet.share)
  }

  func testSettingTheDatabaseClockBackNeverShortensABlock() async throws {
    let (wallet, database) = try await makeWallet()
    for _ in 1...4 { _ = try await wallet.check(wrong) }
    try database.shiftClock(seconds: -100_000)
    let start = ContinuousClock.now
    guard case .blocked(let left, counted: false) = try await wallet.check("123654") else {
      return XCTFail("is not blocked")
    }
    // The block restarts from there.
    XCTAssertLessThanOrEqual(left, 60_000)
    XCTAssertGreaterThanOrEqual(Int64(left), 60_000 - milliseconds(since: start))
    try shift(wallet, seconds: 30)
    guard case .blocked(let half, counted: false) = try await wallet.check("123654") else {
      return XCTFail("is not blocked")
    }
    XCTAssertLessThanOrEqual(half, 30_000)
    XCTAssertGreaterThanOrEqual(Int64(half), 30_000 - milliseconds(since: start))
    try shift(wallet, seconds: 31)
    let share = try await wallet.checkRight()
    XCTAssertEqual(share, wallet.share)
  }

  func testChallengesExpireByTheClockOfTheDatabase() async throws {
    let (wallet, database) = try await makeWallet()
    let request = try wallet.preparePin(
      .checkPin, pin: "123654", challenge: try await wallet.challenge(for: .checkPin))
    try database.shiftClock(seconds: 120)
    let kind = await problem { try await wallet.send(request) }
    XCTAssertEqual(kind, .challengeRefused)
  }
}
