import WalletProvider
import XCTest

/// Rows of every table with foreign numbers: they are refused, or read as they are.
final class UnreadableRowTests: XCTestCase {
  func testNoNumberInAnyColumnTraps() throws {
    let rows = Self.rows
    XCTAssertEqual(Set(rows.map { type(of: $0).table }), Set(StoredTable.allCases))
    var refused: [StoredTable: Int] = [:]
    for row in rows { refused[type(of: row).table] = try refusals(of: row) }
    // Times at both limits, counts at and one beyond their limits, negative sequence numbers.
    XCTAssertEqual(
      refused,
      [
        .wallet: 16, .challenge: 2, .account: 12, .code: 6, .session: 4, .document: 0,
        .refusedClaim: 2, .page: 2, .secret: 0,
      ])
  }

  /// A row of every table.
  static var rows: [any StoredRow] {
    let session = StoredProofingSession(
      id: "session", code: [1], account: "account", wallet: "wallet", expiresAt: 1, state: .open,
      decidedAt: 1)
    let block = AttemptBlock(since: 1, duration: 1, restarted: 1)
    return [
      StoredWallet(
        id: "wallet", registration: "registration", hardwareKey: [1], hardwareKeyHash: [1],
        sealingKey: "key", sealedPinKey: [1], sealedShare: [1], sequence: 1, confirmed: true,
        registeredAt: 1, attempts: AttemptState(wrongAttempts: 1, block: block)),
      StoredChallenge(challenge: [1], purpose: "purpose", wallet: nil, expiresAt: 1),
      StoredAccount(
        id: "account", sealingKey: "key", sealedPerson: [1], createdAt: 1, lockedUntil: 1,
        failedAttempts: 1, failedAt: 1, proofedAt: 1),
      StoredEnrolmentCode(hash: [1], account: "account", expiresAt: 1, attemptsLeft: 1),
      session,
      StoredEnrolmentPage(
        hash: [1], account: "account", code: [1], sealingKey: "key", sealedSecret: [1],
        expiresAt: 1),
      StoredDocument(digest: [1], account: "account"),
      StoredRefusedClaim(id: "claim", wallet: "wallet", refusedAt: 1),
      StoredProviderSecret(name: "name", sealingKey: "key", sealed: [1]),
    ]
  }

  private func refusals<Stored: StoredRow>(of row: Stored) throws -> Int {
    let values = try row.values() + [row.key]
    let whole = Columns(values: Dictionary(uniqueKeysWithValues: zip(Stored.table.columns, values)))
    XCTAssertEqual(try Stored(columns: whole).values() + [row.key], values)
    var refused = 0
    for case (let column, .integer) in whole.values {
      for number in [Int64.min, -1, 0, Int64(Int32.max) + 1, .max] {
        var changed = whole
        changed.values[column] = .integer(number)
        do {
          let read = try Stored(columns: changed)
          XCTAssertEqual(
            try read.values() + [read.key], Stored.table.columns.map { changed.values[$0] })
          guard var wallet = read as? StoredWallet else { continue }
          // Values that the rules calculate with.
          for now in [0, Int64(1_800_000_000_000)] {
            _ = wallet.attempts.block?.remaining(now: now)
          }
        } catch let failure as StoreFailure {
          XCTAssertTrue(failure.description.contains(column), "\(failure)")
          refused += 1
        }
      }
    }
    return refused
  }
}
