import Foundation
import ServerTestSupport
import WalletProtocol
import WalletProvider
import WalletProviderSQLite
import XCTest

/// Personal data in the database, and how long it is kept.
class ProofingPrivacyTests: StoreTestCase {
  private let values = [
    "Mustermann", "Erika", "Maria", "1990-12-31", "D1234567", "2030-06-30",
    "erika.mustermann@example.org",
  ]

  /// The values found in the dump, ignoring case, in plain text or within base64url.
  private func found(in dump: Data) -> [String] {
    let text = String(decoding: dump, as: UTF8.self).lowercased()
    // Answers are stored as compact JWS: their parts are searched too.
    let parts = String(decoding: dump, as: UTF8.self)
      .split { !($0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_")) }
      .compactMap { $0.count > 8 ? Base64URL.decode($0) : nil }
      .map { String(decoding: $0, as: UTF8.self).lowercased() }
    return values.filter { value in
      text.contains(value.lowercased()) || parts.contains { $0.contains(value.lowercased()) }
    }
  }

  func testDatabaseDumpNeverContainsClaimsInTheClear() async throws {
    let verdict = SwitchedVerdict(.pending)
    let harness = try ProviderHarness(
      vetting: SimulatedVetting(verdict, else: AccountVetting(settings: .forDemonstration)))
    let wallet = try await TestWallet.confirmed(harness)
    let page = try await harness.accounts.createPage(try TestPerson.person())
    let shown = try await harness.accounts.page(page)
    let code = try XCTUnwrap(shown?.code)
    XCTAssertEqual(found(in: try harness.dump()), [])
    let session = try await wallet.claimed(code)
    XCTAssertEqual(found(in: try harness.dump()), [])
    let pending = try await wallet.submit(try TestPerson.claims(), session.id)
    XCTAssertEqual(pending.state, .pending)
    XCTAssertEqual(found(in: try harness.dump()), [])
    verdict.set(nil)
    let status = try await wallet.status(session.id)
    XCTAssertEqual(status.state, .proofed)
    XCTAssertEqual(found(in: try harness.dump()), [])
    _ = try wallet.verified(try await wallet.issue(session.id, pidKey: .makeP256()))
    let last = try harness.dump()
    XCTAssertEqual(found(in: last), [])
    // Nor does it contain the secret of the code, only its hash and sealed form.
    XCTAssertNil(last.range(of: Data(code.secret)))
    XCTAssertNil(last.range(of: Data(Base64URL.encode(code.secret).utf8)))
    // The search does find existing values.
    XCTAssertNotNil(last.range(of: Data(wallet.id.utf8)))
  }

  func testVerdictReducesAndSessionEndDeletesPersonalData() async throws {
    let harness = try ProviderHarness()
    let wallet = try await TestWallet.confirmed(harness)
    let session = try await wallet.proofedSession()
    let stored = try await harness.session(session.id)
    XCTAssertNotNil(stored?.record)
    XCTAssertNotNil(stored?.decidedAt)
    let other = try await TestWallet.confirmed(harness)
    let resubmitted = try await other.newSession()
    _ = try await other.submit(try TestPerson.claims(), resubmitted.id)
    let refused = try await harness.session(resubmitted.id)
    XCTAssertEqual(refused?.state, .resubmit)
    XCTAssertNil(refused?.record)
    harness.clock.advance(24 * 3_600_000 - 1)
    try await harness.provider.deleteEndedRows()
    let last = try await harness.session(session.id)
    XCTAssertNotNil(last)
    harness.clock.advance(1)
    try await harness.provider.deleteEndedRows()
    let gone = try await harness.session(session.id)
    XCTAssertNil(gone)
  }

  func testClosingReleasesTheDocumentAndForgettingLeavesNothing() async throws {
    let harness = try ProviderHarness()
    let wallet = try await TestWallet.confirmed(harness)
    var codes: [IssuedCode] = []
    for _ in 1...3 {
      let code = try await harness.accounts.create(try TestPerson.person())
      codes.append(code)
      let session = try await wallet.claimed(code)
      let status = try await wallet.submit(try TestPerson.claims(), session.id)
      XCTAssertEqual(status.state, .proofed)
      let isDone =
        codes.count == 1
        ? try await harness.accounts.close(account: code.account)
        : try await harness.accounts.forget(account: code.account)
      XCTAssertTrue(isDone)
    }
    let left = try await harness.accounts.accounts()
    XCTAssertEqual(left.map(\.id), [codes[0].account])
    let again = try await harness.accounts.forget(account: codes[1].account)
    XCTAssertFalse(again)
    let counts = try await harness.store.proofingCounts()
    XCTAssertEqual(counts.sessions, 0, "no PID of a closed account can be fetched")
    XCTAssertEqual(counts.consumed, 1)
  }

  func testSweepDeletesAnswersAndOverwritesDeletedData() async throws {
    let harness = try ProviderHarness()
    let wallet = try await TestWallet.confirmed(harness)
    let text = try await wallet.challenge(for: .claimEnrolmentCode)
    let challenge = try XCTUnwrap(Base64URL.decode(text))
    harness.clock.advance(120_000)
    try await harness.provider.deleteEndedRows()
    let stored = try await harness.store.transaction { try $0.challenge(challenge) }
    XCTAssertNil(stored)
    // PostgreSQL overwrites deleted rows when it vacuums.
    guard let file = harness.store as? SQLiteProviderStore else { return }
    let pragma = try await file.pragma("secure_delete")
    XCTAssertEqual(pragma, "1")
  }

  func testMasksLabelsThatAreNoAddress() throws {
    for (label, masked) in [
      ("erika@example.org", "e•••@example.org"), ("erika@Example.ORG", "e•••@example.org"),
      ("@erika.mustermann", "•••"), ("a@b@example.org", "•••"), ("e@Erika Mustermann", "•••"),
      ("e@", "•••"), ("Erika", "E•••"),
    ] {
      let person = try AccountPerson(
        label: label, familyName: "A", givenName: "B", birthDate: "1990-12-31")
      XCTAssertEqual(person.maskedLabel, masked)
    }
    XCTAssertThrowsError(
      try AccountPerson(
        label: "e\u{202E}@example.org", familyName: "A", givenName: "B", birthDate: "1990-12-31"))
  }

  func testSearchFindsClaimsInPlainTextAndBase64() {
    XCTAssertEqual(found(in: Data("x MUSTERMANN".utf8)), ["Mustermann"])
    let inside = Base64URL.encode(Array(#"{"family_name":"Mustermann"}"#.utf8))
    XCTAssertEqual(found(in: Data("a.\(inside).b".utf8)), ["Mustermann"])
  }

  func testDescriptionsOfTypesWithPersonalDataAreRedacted() throws {
    let person = try TestPerson.person()
    XCTAssertEqual("\(person)", "AccountPerson")
    var text = ""
    Swift.dump(person, to: &text)
    XCTAssertEqual(found(in: Data(text.utf8)), [])
  }
}
