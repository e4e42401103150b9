import WalletAttempts
import WalletProvider
import XCTest

/// Rows of every table with foreign numbers: they are refused, or read as they are.
final class UnreadableRowTests: XCTestCase {
  func testNoNumberInAnyColumnTraps() throws {
    var refused: [StoredTable: Int] = [:]
    for row in Self.rows + Self.fullRows {
      refused[type(of: row).table, default: 0] += try refusals(of: row)
    }
    // Times at both limits, counts at and one beyond their limits, negative sequence numbers.
    XCTAssertEqual(
      refused,
      [
        .wallet: 16 + 22, .challenge: 2 + 2, .account: 12 + 14, .code: 6 + 6, .session: 4 + 8,
        .document: 0, .refusedClaim: 2 + 2, .page: 2 + 2, .secret: 0,
        .statusList: 11 + 11, .statusEntry: 11 + 13,
      ])
  }

  func testThereAreRowsOfEveryTableWithAndWithoutAllValues() throws {
    for rows in [Self.rows, Self.fullRows] {
      XCTAssertEqual(
        rows.map { type(of: $0).table.rawValue }.sorted(),
        StoredTable.allCases.map(\.rawValue).sorted())
    }
    for row in Self.fullRows {
      let table = type(of: row).table
      for (column, value) in zip(table.columns, try row.values() + [row.key]) {
        XCTAssertNotEqual(value, .null, "\(table) \(column)")
      }
    }
  }

  /// A row of every table in which no column is NULL.
  static var fullRows: [any StoredRow] {
    var days = RecentFailures()
    if let text = RecentFailures("20000:3 20001:2") { days = text }
    return [
      StoredWallet(
        id: "wallet", registration: "registration", hardwareKey: [1], hardwareKeyHash: [2],
        sealingKey: "key", sealedPinKey: [3], pinKeyID: "pin key", sealedHalf: [14],
        sealedShare: [4],
        sequence: 5, confirmed: true, registeredAt: 6,
        attempts: AttemptState(
          wrongAttempts: 7, block: AttemptBlock(since: 8, duration: 9, restarted: 10),
          blockedPermanently: true, failures: 11, failedAt: 12, recent: days,
          openSince: 15),
        evaluation: StoredEvaluation(
          id: "evaluation", pinKeyID: "pin key", blinded: "blinded", challenge: "challenge",
          request: "request", answer: "answer"),
        pending: StoredWallet.PendingPinKey(
          change: "change", pinKeyID: "next", sealedHalf: [16], sealedKey: [13]),
        committedChange: "earlier", pinProvenAt: 8),
      StoredChallenge(
        challenge: [1], purpose: "purpose", wallet: "wallet", expiresAt: 2,
        use: StoredChallenge.Use(requestHash: [3], answer: "answer")),
      StoredAccount(
        id: "account", sealingKey: "key", sealedPerson: [1], createdAt: 2, closed: true,
        lockedUntil: 3, failedAttempts: 4, failedAt: 5, proofedAt: 6, wallet: "wallet",
        replacementRefusedAt: 7),
      StoredEnrolmentCode(
        hash: [1], account: "account", expiresAt: 2, wallet: "wallet", verdict: .proofed,
        attemptsLeft: 3),
      StoredProofingSession(
        id: "session", code: [1], account: "account", wallet: "wallet", expiresAt: 2,
        state: .pending, reason: "reason", reference: "reference",
        submission: .init(idempotencyKey: [3], digest: [4]),
        record: .init(key: "key", content: [5]), decidedAt: 6, sourceMatched: true, pidKeys: [7],
        replacesAt: 8, waitsSince: 9),
      StoredEnrolmentPage(
        hash: [1], account: "account", code: [2], sealingKey: "key", sealedSecret: [3],
        expiresAt: 4),
      StoredDocument(digest: [1], account: "account"),
      StoredRefusedClaim(id: "claim", wallet: "wallet", refusedAt: 1),
      StoredProviderSecret(name: "name", sealingKey: "key", sealed: [1]),
      StoredStatusList(
        id: "list", uri: "uri", size: 8, createdAt: 1, assigned: 2, closed: true),
      StoredStatusEntry(
        list: "list", index: 3, issuance: "issuance", copy: 1, wallet: "wallet",
        account: "account", expiresAt: 2, revokedAt: 4),
    ]
  }

  /// A row of every table in which columns that may be NULL mostly are.
  static var rows: [any StoredRow] {
    let session = StoredProofingSession(
      id: "session", code: [1], account: "account", wallet: "wallet", expiresAt: 1, state: .open,
      decidedAt: 1)
    let block = AttemptBlock(since: 1, duration: 1, restarted: 1)
    return [
      StoredWallet(
        id: "wallet", registration: "registration", hardwareKey: [1], hardwareKeyHash: [1],
        sealingKey: "key", sealedPinKey: [1], pinKeyID: "pin key", sealedHalf: [1],
        sealedShare: [1],
        sequence: 1, confirmed: true, registeredAt: 1,
        attempts: AttemptState(wrongAttempts: 1, block: block)),
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
      StoredStatusList(
        id: "list", uri: "uri", size: 8, createdAt: 1, assigned: 2, closed: true),
      StoredStatusEntry(
        list: "list", index: 3, issuance: "issuance", copy: 1, wallet: "wallet",
        account: "account", expiresAt: 2),
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
