import Foundation
import ServerTestSupport
import WalletAttempts
import WalletProtocol
import WalletSQLite
import XCTest

@testable import WalletEvaluator
@testable import WalletEvaluatorSQLite

/// Requests of several wallets that are committed together, with one record of their changes.
final class SharedRecordTests: EvaluatorTestCase {
  private struct Refusal: Error {}

  /// Runs `bodies` while another transaction keeps them waiting.
  private func together(
    _ store: SQLiteEvaluatorStore,
    _ bodies: [@Sendable (any EvaluatorTransaction) throws -> Void]
  ) async throws -> [Result<Void, any Error>] {
    try await whileADatabaseIsHeld(
      waiting: { store.commits.waiting }, { hold in try await store.transaction { _ in hold() } },
      bodies.map { body in { try await store.transaction(body) } })
  }

  /// Counts an attempt with this key.
  private static func count(_ key: String) -> @Sendable (any EvaluatorTransaction) throws -> Void {
    { rows in
      guard var wallet = try rows.wallet(key: key) else { throw Refusal() }
      XCTAssertEqual(wallet.generation, rows.generation, "it is known to be the newest")
      XCTAssertNil(wallet.attempts.begin(policy: .standard, now: try rows.now))
      try rows.update(wallet)
    }
  }

  func testOneThatFailsIsNotInTheRecordAndTheOthersAre() async throws {
    let evaluator = try evaluator()
    let store = try XCTUnwrap(evaluator.store as? SQLiteEvaluatorStore)
    var wallets: [(TestWallet, String)] = []
    for _ in 0..<3 {
      let wallet = TestWallet()
      wallets.append((wallet, try await evaluator.adopted(wallet)))
    }
    let keys = wallets.map(\.1)
    let results = try await together(
      store,
      [
        Self.count(keys[0]), Self.count(keys[1]),
        { rows in
          try Self.count(keys[1])(rows)
          try Self.count(keys[2])(rows)
          throw Refusal()
        },
        Self.count(keys[0]), Self.count(keys[2]),
      ])
    XCTAssertThrowsError(try results[2].get()) { XCTAssertTrue($0 is Refusal, "\($0)") }
    for index in [0, 1, 3, 4] { XCTAssertNoThrow(try results[index].get()) }
    XCTAssertEqual(findings(), [])
    // The record describes these rows also to another process.
    let next = try self.evaluator()
    XCTAssertEqual(findings(), [])
    var counts: [UInt64] = []
    for (wallet, key) in wallets { counts.append(try await next.countNow(wallet, key)) }
    XCTAssertEqual(counts, [2, 1, 1])
    XCTAssertEqual(findings(), [])
  }
}
