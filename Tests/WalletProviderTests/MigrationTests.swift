import CSQLite
import Crypto
import Foundation
import WalletProtocol
import WalletProvider
import WalletProviderSQLite
import XCTest

/// Databases of earlier versions.
final class MigrationTests: XCTestCase {
  private func execute(_ sql: String, at path: String) {
    var database: OpaquePointer?
    XCTAssertEqual(sqlite3_open(path, &database), SQLITE_OK)
    defer { sqlite3_close(database) }
    XCTAssertEqual(sqlite3_exec(database, sql, nil, nil, nil), SQLITE_OK)
  }

  func testMigratesADatabaseWithoutSecretsAndFindsItsDocuments() async throws {
    let harness = try ProviderHarness()
    let first = try await TestWallet.confirmed(harness)
    // Made before the first hash, as when hashes were derived from the sealing key.
    let code = try await harness.accounts.create(try TestPerson.person())
    let session = try await first.claimed(code)
    let proofed = try await first.submit(try TestPerson.claims(), session.id)
    XCTAssertEqual(proofed.state, .proofed)
    let number = try documentDigest(harness).map { String(format: "%02x", $0) }.joined()
    execute(
      """
      UPDATE proofed_document SET digest = x'\(number)';
      DROP TABLE provider_secret;
      DELETE FROM grdb_migrations WHERE identifier LIKE '6:%';
      """, at: harness.directory.databasePath)
    let store = try SQLiteProviderStore(
      path: harness.directory.databasePath, clock: harness.clock)
    let provider = Provider(
      identity: harness.directory.identity, store: store, settings: harness.settings)
    try await provider.prepareSecrets()
    let second = try await TestWallet.confirmed(harness)
    let other = try await second.newSession()
    let refused = try await second.submit(try TestPerson.claims(), other.id, to: provider)
    XCTAssertEqual(refused.state, .resubmit)
    XCTAssertEqual(refused.reason, .notMatched)
  }

  /// The hash of the invented person's document as earlier versions stored it: of issuer and number
  /// alone, with a secret that was derived from the sealing key.
  private func documentDigest(_ harness: ProviderHarness) throws -> [UInt8] {
    let text = try String(contentsOfFile: harness.path + "/keys/sealing.key", encoding: .utf8)
    let key = try XCTUnwrap(
      Base64URL.decode(text.trimmingCharacters(in: .whitespacesAndNewlines)))
    let derived = HKDF<SHA256>.deriveKey(
      inputKeyMaterial: SymmetricKey(data: key), info: Data("wallet-provider document".utf8),
      outputByteCount: 32)
    return Array(
      HMAC<SHA256>.authenticationCode(for: Data("636014 D1234567".utf8), using: derived))
  }

  func testRefusesADatabaseOfANewerProgram() throws {
    let harness = try ProviderHarness()
    let path = harness.directory.databasePath
    execute("INSERT INTO grdb_migrations VALUES ('1000: later')", at: path)
    XCTAssertThrowsError(try SQLiteProviderStore(path: path)) {
      XCTAssertTrue("\($0)".contains("newer program"), "\($0)")
    }
  }

  func testMigratesADatabaseWithoutProofingAndKeepsItsWallets() async throws {
    let harness = try ProviderHarness()
    let wallet = try await TestWallet.confirmed(harness)
    let path = harness.directory.databasePath
    // As the previous version left it.
    execute(
      """
      DROP TABLE enrolment_page; DROP TABLE refused_claim; DROP TABLE proofed_document;
      DROP TABLE proofing_session; DROP TABLE enrolment_code; DROP TABLE account;
      DELETE FROM grdb_migrations WHERE substr(identifier, 1, 2) IN ('3:', '4:', '7:');
      """, at: path)
    let store = try SQLiteProviderStore(path: path, clock: harness.clock)
    let counts = try await store.walletCounts()
    XCTAssertEqual(counts.confirmed, 1)
    let provider = Provider(
      identity: harness.directory.identity, store: store, settings: harness.settings)
    let accounts = AccountAdministration(
      identity: harness.directory.identity, store: store, settings: harness.settings.proofing)
    let code = try await accounts.create(try TestPerson.person())
    guard case .claimed = try await wallet.claim(code, to: provider) else {
      return XCTFail("not claimed")
    }
  }

  func testMigratesADatabaseWithoutReplacementsAndKeepsItsProofings() async throws {
    let harness = try ProviderHarness(replacementWait: 3_600_000)
    let wallet = try await TestWallet.confirmed(harness)
    let session = try await wallet.proofedSession()
    // As the previous version left it.
    execute(
      """
      ALTER TABLE proofing_session DROP COLUMN replaces_at;
      ALTER TABLE account DROP COLUMN replacement_refused_at;
      DELETE FROM grdb_migrations WHERE identifier LIKE '7:%';
      """, at: harness.directory.databasePath)
    _ = try SQLiteProviderStore(path: harness.directory.databasePath)
    let stored = try await harness.session(session.id)
    XCTAssertEqual(stored?.state, .proofed)
    let issued = try await harness.accounts.issueCode(account: try XCTUnwrap(stored?.account))
    let other = try await TestWallet.confirmed(harness)
    let second = try await other.claimed(try XCTUnwrap(issued))
    let status = try await other.submit(try TestPerson.claims(), second.id)
    XCTAssertEqual(status.state, .waiting)
  }

  func testMigratesADatabaseWithoutPinChangesAndKeepsItsWallets() async throws {
    let harness = try ProviderHarness()
    let wallet = try await TestWallet.confirmed(harness)
    let path = harness.directory.databasePath
    // As the previous version left it.
    execute(
      """
      ALTER TABLE wallet DROP COLUMN pending_sealed_pin_key;
      ALTER TABLE wallet DROP COLUMN pending_change;
      ALTER TABLE wallet DROP COLUMN committed_change;
      DELETE FROM grdb_migrations WHERE identifier LIKE '5:%';
      """, at: path)
    _ = try SQLiteProviderStore(path: path)
    let change = TestWallet.newChange()
    let prepared = try await wallet.prepareChange(from: "123654", to: "271828", change: change)
    guard case .valid = prepared else { return XCTFail("\(prepared)") }
    let committed = try await wallet.commitChange(change)
    XCTAssertEqual(committed, .pinChangeCommitted)
    let share = try await wallet.checkRight(pin: "271828")
    XCTAssertEqual(share, wallet.share)
  }
}
