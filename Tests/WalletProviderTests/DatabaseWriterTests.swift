import Foundation
import ServerTestSupport
import WalletAttempts
import WalletCredentials
import WalletProtocol
import WalletProvider
import XCTest

/// An attacker who writes to the database past the provider. He has the provider's own rows to copy
/// from, and no key.
class DatabaseWriterTests: StoreTestCase {
  /// The bytes as a literal of the test case's database.
  private func literal(_ bytes: [UInt8]) -> String {
    let digits = bytes.map { String(format: "%02x", $0) }.joined()
    return Self.kind == .sqlite ? "x'\(digits)'" : "'\\x\(digits)'"
  }

  /// Runs `attack`, checks that `work` then fails because of a row of the table, and puts the table
  /// back.
  private func assertFoundOut(
    _ table: StoredTable, _ attack: String, in harness: ProviderHarness, undo: String = "",
    line: UInt = #line, _ work: () async throws -> some Any
  ) async throws {
    let (name, key) = (table.rawValue, table.key)
    let columns = table.storedColumns.filter { $0 != key }.joined(separator: ", ")
    try harness.storeLocation.execute("CREATE TABLE former AS SELECT * FROM \(name)")
    try harness.storeLocation.execute(attack)
    do {
      let answer = try await work()
      XCTFail("\(attack): \(answer)", line: line)
    } catch let failure as StoreFailure {
      XCTAssertEqual(failure.unauthenticRow?.table, table, "\(attack): \(failure)", line: line)
    }
    try harness.storeLocation.execute(
      """
      \(undo);
      DELETE FROM \(name) WHERE \(key) NOT IN (SELECT \(key) FROM former);
      UPDATE \(name) SET (\(columns)) =
        (SELECT \(columns) FROM former WHERE former.\(key) = \(name).\(key));
      DROP TABLE former;
      """)
  }

  func testACodeOfOnesOwnOpensNoAccount() async throws {
    let harness = try ProviderHarness()
    let thief = try await TestWallet.confirmed(harness)
    let code = try await harness.accounts.create(try TestPerson.person())
    let secret = sha256([1])
    let (hash, owners) = (literal(sha256(secret)), literal(sha256(code.secret)))
    let attacks = [
      // A new row with everything that can be copied, and a million attempts.
      """
      INSERT INTO enrolment_code
        (hash, account, expires_at, attempts_left, authentication_key, authentication)
        SELECT \(hash), account, expires_at, 1000000, authentication_key, authentication
        FROM enrolment_code
      """,
      "UPDATE enrolment_code SET hash = \(hash)",
    ]
    for attack in attacks {
      let undo = "UPDATE enrolment_code SET hash = \(owners) WHERE attempts_left < 1000000"
      try await assertFoundOut(.code, attack, in: harness, undo: undo) {
        try await thief.claim(secret: secret)
      }
    }
    for change in ["attempts_left = 1000000", "expires_at = expires_at + 1"] {
      try await assertFoundOut(.code, "UPDATE enrolment_code SET \(change)", in: harness) {
        try await thief.claim(code)
      }
    }
    // The code itself is as good as before.
    let owner = try await TestWallet.confirmed(harness)
    let session = try await owner.claimed(code)
    XCTAssertEqual(session.attemptsLeft, 5)
  }

  func testAVerdictWrittenByHandIssuesNothing() async throws {
    let harness = try ProviderHarness()
    let wallet = try await TestWallet.confirmed(harness)
    let open = try await wallet.newSession()
    let proofed = try await wallet.proofedSession()
    _ = try await wallet.checkRight()
    let key = TestHardwareKey.makeP256()
    for change in [
      "source_matched = NOT source_matched", "pid_key = \(literal(sha256([2])))",
      "expires_at = expires_at + 1000", "decided_at = NULL",
    ] {
      try await assertFoundOut(
        .session, "UPDATE proofing_session SET \(change) WHERE id = '\(proofed.id)'", in: harness
      ) { try await wallet.issue(proofed.id, pidKey: key, provesPin: false) }
    }
    // The verdict of one session for the other.
    try await assertFoundOut(
      .session,
      """
      UPDATE proofing_session SET (state, sealing_key, sealed_record, authentication) =
        (SELECT state, sealing_key, sealed_record, authentication FROM proofing_session
          WHERE id = '\(proofed.id)') WHERE id = '\(open.id)'
      """, in: harness
    ) { try await wallet.issue(open.id, pidKey: key, provesPin: false) }
    let pid = try wallet.verified(try await wallet.issue(proofed.id, pidKey: key))
    XCTAssertFalse(pid.pid.verification.issuingSourceMatch)
  }

  func testRowsOfTwoAccountsDoNotChangePlaces() async throws {
    let harness = try ProviderHarness()
    let thief = try await TestWallet.confirmed(harness)
    let own = try await harness.accounts.create(try TestPerson.person())
    let other = try await harness.accounts.create(
      try TestPerson.person(family: "Musterfrau", given: "Max", birth: "1980-01-01"))
    let columns = StoredTable.account.storedColumns.filter { $0 != "id" }.joined(separator: ", ")
    try await assertFoundOut(
      .account,
      """
      UPDATE account SET (\(columns)) =
        (SELECT \(columns) FROM account AS o WHERE o.id = '\(other.account)')
        WHERE id = '\(own.account)'
      """, in: harness
    ) { try await thief.claim(own) }
    try await assertFoundOut(
      .code,
      """
      UPDATE enrolment_code SET account = CASE account WHEN '\(own.account)'
        THEN '\(other.account)' ELSE '\(own.account)' END
      """, in: harness
    ) { try await thief.claim(own) }
    for change in ["closed = NOT closed", "locked_until = 1", "wallet = '\(thief.id)'"] {
      try await assertFoundOut(.account, "UPDATE account SET \(change)", in: harness) {
        try await thief.claim(own)
      }
    }
    _ = try await thief.claimed(own)
  }

  func testAttemptsBlocksAndSequenceOfAWalletStay() async throws {
    let harness = try ProviderHarness()
    let wallet = try await TestWallet.confirmed(harness)
    let other = try await TestWallet.confirmed(harness)
    for _ in 1...4 { _ = try await wallet.check("271828") }
    for change in [
      "wrong_attempts = 0", "wrong_attempts = 0, blocked_since = NULL, blocked_for = NULL",
      "blocked_for = 1", "failures = 0", "failed_at = NULL", "failed_days = NULL", "sequence = 0",
      "confirmed = NOT confirmed", "registration = 'x'", "attempt_since = 1",
      "evaluation = NULL", "pin_key_id = 'x'", "sealed_half = sealed_share",
      "committed_change = 'x'", "authentication_key = authentication_key || 'x'",
      """
      authentication = (SELECT o.authentication FROM wallet AS o WHERE o.id = '\(other.id)')
      """,
    ] {
      try await assertFoundOut(
        .wallet, "UPDATE wallet SET \(change) WHERE id = '\(wallet.id)'", in: harness
      ) { try await wallet.check("123654") }
    }
    guard case .blocked = try await wallet.check("123654") else { return XCTFail("not blocked") }
    _ = try await other.checkRight()
    // Of a wallet that is blocked for good.
    let isDone = try await WalletAdministration(store: harness.store).block(wallet.id)
    XCTAssertTrue(isDone)
    try await assertFoundOut(
      .wallet, "UPDATE wallet SET blocked_permanently = NOT blocked_permanently", in: harness
    ) { try await wallet.check("123654") }
  }

  func testChallengesDocumentsAndRefusedClaimsStay() async throws {
    let harness = try ProviderHarness()
    let wallet = try await TestWallet.confirmed(harness)
    let other = try await TestWallet.confirmed(harness)
    let request = try wallet.preparePin(
      .checkPin, pin: "123654", challenge: try await wallet.challenge(for: .checkPin))
    for change in ["expires_at = expires_at + 1", "purpose = 'delete_wallet'"] {
      try await assertFoundOut(.challenge, "UPDATE challenge SET \(change)", in: harness) {
        try await wallet.send(request)
      }
    }
    _ = try await wallet.send(request)
    let session = try await wallet.newSession()
    _ = try await wallet.submit(try TestPerson.claims(), session.id)
    // The document is given to another account, so that its owner has it no more.
    let stranger = try await harness.accounts.create(try TestPerson.person())
    let strange = try await other.claimed(stranger)
    try await assertFoundOut(
      .document, "UPDATE proofed_document SET account = '\(stranger.account)'", in: harness
    ) { try await other.submit(try TestPerson.claims(), strange.id) }
    _ = try await other.claim(secret: sha256([3]))
    try await assertFoundOut(
      .refusedClaim, "UPDATE refused_claim SET refused_at = refused_at + 1", in: harness
    ) { try await other.claim(secret: sha256([3])) }
    _ = try await other.claim(secret: sha256([3]))
    // Without its secret the document would be new to the provider.
    try harness.storeLocation.execute("DELETE FROM provider_secret WHERE name LIKE '%document%'")
    do {
      let status = try await other.submit(try TestPerson.claims(), strange.id)
      XCTFail("\(status)")
    } catch is StoreFailure {}
  }

  /// One wallet's row does not answer for another, even in a database that looks up wrongly.
  func testAnotherRowOfTheProviderIsNotTakenForTheOneLookedUp() throws {
    let keys = try RowAuthentication.forTests()
    let row = StoredDocument(digest: [1], account: "account")
    let columns = try Columns(row, keys)
    XCTAssertEqual(try StoredDocument.read(columns, keys, having: ["digest": .bytes([1])]), row)
    XCTAssertThrowsError(
      try StoredDocument.read(columns, keys, having: ["digest": .bytes([2])])
    ) { XCTAssertNotNil(($0 as? StoreFailure)?.unauthenticRow) }
  }

  func testEveryColumnOfEveryTableIsAuthenticated() throws {
    for row in UnreadableRowTests.rows + UnreadableRowTests.fullRows {
      try assertAuthenticated(row)
    }
  }

  private func assertAuthenticated<Row: StoredRow>(_ row: Row) throws {
    let keys = try RowAuthentication.forTests()
    let whole = try Columns(row, keys)
    XCTAssertEqual(try Row.read(whole, keys).values(), try row.values())
    XCTAssertThrowsError(try Row.read(whole, .none))
    let stranger = try RowAuthentication([
      try XCTUnwrap(SoftwareSealingKey([UInt8](repeating: 8, count: 32)))
    ])
    XCTAssertThrowsError(try Row.read(whole, stranger))
    for column in Row.table.storedColumns {
      let value = try XCTUnwrap(whole.values[column])
      for other in others(than: value) {
        var changed = whole
        changed.values[column] = other
        // Reading fails, or the value is one that the row does not distinguish from its own.
        guard let read = try? Row.read(changed, keys) else { continue }
        XCTAssertEqual(try read.values(), try row.values(), "\(Row.table) \(column)")
        XCTAssertEqual(value, .null, "\(Row.table) \(column)")
      }
    }
    // The code of a row of another table.
    for other in UnreadableRowTests.rows where type(of: other).table != Row.table {
      var changed = whole
      changed.values[RowAuthentication.codeColumn] =
        try Columns(other, keys).values[RowAuthentication.codeColumn]
      XCTAssertThrowsError(try Row.read(changed, keys), "\(Row.table)")
    }
    // Two columns with each other's values.
    for (first, one) in whole.values {
      for (second, two) in whole.values where first < second && one != two {
        var changed = whole
        (changed.values[first], changed.values[second]) = (two, one)
        XCTAssertThrowsError(try Row.read(changed, keys), "\(Row.table) \(first) \(second)")
      }
    }
  }

  private func others(than value: StoredValue) -> [StoredValue] {
    switch value {
    case .null: [.integer(1), .text("x"), .bytes([1])]
    case .integer(let number): [.null, .integer(number ^ 1)]
    case .text(let text): [.null, .text(text + "x"), .text("")]
    case .bytes(let bytes): [.null, .bytes(bytes + [0]), .bytes([])]
    case .flag(let flag): [.flag(!flag)]
    }
  }
}

final class DatabaseWriterOnPostgreSQLTests: DatabaseWriterTests {
  override class var kind: StoreKind { .postgreSQL }

  func testItRunsOnPostgreSQL() { XCTAssertEqual(Self.kind, .postgreSQL) }
}

extension Columns {
  /// A row as a store keeps it.
  init<Row: StoredRow>(_ row: Row, _ keys: RowAuthentication) throws {
    let values = try keys.values(of: row)
    self.init(values: Dictionary(uniqueKeysWithValues: zip(Row.table.storedColumns, values)))
  }
}
