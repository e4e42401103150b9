import ServerTestSupport
import WalletProtocol
import WalletProvider
import XCTest

/// PIDs are revoked in the transaction of the reason, and lists show it at random moments.
class StatusRevocationTests: StoreTestCase {
  /// A wallet that was proofed, with a batch of PIDs.
  private func proofed(
    _ bed: StatusTestBed, issuance: String = "issuance"
  ) async throws -> (wallet: TestWallet, account: String, references: [StatusReference]) {
    let wallet = try await TestWallet.confirmed(bed.harness)
    let session = try await wallet.proofedSession()
    let stored = try await bed.harness.session(session.id)
    let account = try XCTUnwrap(stored?.account)
    let references = try await bed.assign(
      bed.assignment(issuance, wallet: wallet.id, account: account))
    return (wallet, account, references)
  }

  private func assertRevoked(
    _ references: [StatusReference], _ isRevoked: Bool = true, _ bed: StatusTestBed,
    _ reason: String = "", line: UInt = #line
  ) async throws {
    bed.waitForLists()
    let revoked = try await bed.revoked(references)
    XCTAssertEqual(revoked, references.map { _ in isRevoked }, reason, line: line)
  }

  func testEachReasonRevokesTheWholeBatchAndNoOther() async throws {
    let bed = try StatusTestBed()
    let bystander = try await proofed(bed, issuance: "bystander")
    let accounts = bed.harness.accounts
    let administration = WalletAdministration(
      store: bed.harness.store, evaluator: bed.harness.evaluator, statusLists: bed.settings)
    let reasons: [(String, (TestWallet, String) async throws -> Void)] = [
      ("account closed", { _, account in _ = try await accounts.close(account: account) }),
      ("account forgotten", { _, account in _ = try await accounts.forget(account: account) }),
      ("account revoked", { _, account in _ = try await accounts.revoke(account: account) }),
      ("wallet deleted itself", { wallet, _ in _ = try await wallet.delete() }),
      ("wallet deleted", { wallet, _ in _ = try await administration.delete(wallet.id) }),
    ]
    for (reason, work) in reasons {
      let document = try HeldDocument(
        issuer: "636014", number: "D1234567", familyName: "Mustermann", birthDate: "1990-12-31")
      _ = try await accounts.free(document)
      let (wallet, account, references) = try await proofed(bed, issuance: reason)
      try await assertRevoked(references, false, bed, reason)
      try await work(wallet, account)
      try await assertRevoked(references, true, bed, reason)
    }
    try await assertRevoked(bystander.references, false, bed)
  }

  func testAReplacedWalletsPIDsAreRevoked() async throws {
    let bed = try StatusTestBed()
    let (_, account, references) = try await proofed(bed)
    let other = try await TestWallet.confirmed(bed.harness)
    let issued = try await bed.harness.accounts.issueCode(account: account)
    let session = try await other.claimed(try XCTUnwrap(issued)).id
    try await assertRevoked(references, false, bed)
    let status = try await other.submit(try TestPerson.claims(), session)
    XCTAssertEqual(status.state, .proofed)
    try await assertRevoked(references, true, bed)
  }

  func testAWalletThatWasNotConfirmedInTimeLosesItsPIDsWhenItsKeyRegistersAgain() async throws {
    let bed = try StatusTestBed()
    let wallet = TestWallet(bed.harness)
    try await wallet.register()
    let code = try await bed.harness.accounts.create(try TestPerson.person())
    let session = try await issued(bed, to: wallet, code)
    try await assertIssued(bed, session, areRevoked: false)
    bed.harness.clock.advance(bed.harness.settings.unconfirmedLife)
    try await wallet.register()
    try await assertIssued(bed, session, areRevoked: true)
  }

  /// Proofs the wallet with a code and fetches a PID in two copies; returns the id of the session.
  private func issued(
    _ bed: StatusTestBed, to wallet: TestWallet, _ code: IssuedCode, document: String = "D1234567"
  ) async throws -> String {
    let session = try await wallet.claimed(code).id
    _ = try await wallet.submit(try TestPerson.claims(number: document), session)
    let keys = [TestHardwareKey.makeP256(), .makeP256()]
    _ = try wallet.copies(try await wallet.issue(session, pidKeys: keys))
    return session
  }

  private func assertIssued(
    _ bed: StatusTestBed, _ session: String, areRevoked: Bool, line: UInt = #line
  ) async throws {
    let entries = try await bed.entries(session)
    XCTAssertEqual(
      entries.map { $0.revokedAt != nil }, [areRevoked, areRevoked], line: line)
  }

  func testAnIssuanceSupersedesTheOthersOfItsAccount() async throws {
    let bed = try StatusTestBed()
    let wallet = try await TestWallet.confirmed(bed.harness)
    let code = try await bed.harness.accounts.create(try TestPerson.person())
    let first = try await issued(bed, to: wallet, code)
    try await assertIssued(bed, first, areRevoked: false)
    let next = try await bed.harness.accounts.issueCode(account: code.account)
    let second = try await issued(bed, to: wallet, try XCTUnwrap(next))
    try await assertIssued(bed, first, areRevoked: true)
    try await assertIssued(bed, second, areRevoked: false)
  }

  /// A wallet may be proofed for another account, which it then belongs to instead.
  func testAnIssuanceSupersedesThePIDThatItsWalletHadForAnotherAccount() async throws {
    let bed = try StatusTestBed()
    let wallet = try await TestWallet.confirmed(bed.harness)
    let accounts = bed.harness.accounts
    let first = try await issued(bed, to: wallet, try await accounts.create(TestPerson.person()))
    let second = try await issued(
      bed, to: wallet, try await accounts.create(TestPerson.person()), document: "D7654321")
    try await assertIssued(bed, first, areRevoked: true)
    try await assertIssued(bed, second, areRevoked: false)
  }

  func testAPIDWhoseKeysWereLostIsRevoked() async throws {
    let bed = try StatusTestBed()
    let wallet = try await TestWallet.confirmed(bed.harness)
    let code = try await bed.harness.accounts.create(try TestPerson.person())
    let session = try await issued(bed, to: wallet, code)
    let outcome = try await wallet.issue(session, pidKey: .makeP256())
    XCTAssertEqual(outcome, .proofing(ProofingStatus(.lapsed)))
    try await assertIssued(bed, session, areRevoked: true)
  }

  func testAPIDThatWasNotFetchedBeforeItsAccountWasRevokedIsNotIssued() async throws {
    let bed = try StatusTestBed()
    let wallet = try await TestWallet.confirmed(bed.harness)
    let session = try await wallet.proofedSession()
    let stored = try await bed.harness.session(session.id)
    let count = try await bed.harness.accounts.revoke(account: XCTUnwrap(stored?.account))
    XCTAssertEqual(count, 0)
    let outcome = try await wallet.issue(session.id, pidKey: .makeP256())
    XCTAssertEqual(outcome, .proofing(ProofingStatus(.lapsed)))
    let entries = try await bed.entries(session.id)
    XCTAssertEqual(entries.count, 0)
  }

  func testWhatIsRevokedStaysSoFromTheSameMomentOn() async throws {
    let bed = try StatusTestBed()
    let (wallet, account, _) = try await proofed(bed)
    let first = try await bed.harness.accounts.revoke(account: account)
    XCTAssertEqual(first, 10)
    let moments = try await bed.entries("issuance").map(\.revokedAt)
    XCTAssertFalse(moments.contains(nil))
    bed.harness.clock.advance(1_000)
    let second = try await bed.harness.accounts.revoke(account: account)
    XCTAssertEqual(second, 0)
    _ = try await wallet.delete()
    let after = try await bed.entries("issuance").map(\.revokedAt)
    XCTAssertEqual(after, moments)
    let unknown = try await bed.harness.accounts.revoke(account: "unknown")
    XCTAssertNil(unknown)
  }

  func testWhatHasEndedIsNotRevoked() async throws {
    let bed = try StatusTestBed()
    try await bed.assign(bed.assignment("first", life: 1_000))
    bed.harness.clock.advance(1_000)
    let count = try await bed.revoke(.wallet("wallet"))
    XCTAssertEqual(count, 0)
  }

  /// No two entries of a batch flip together, and each flips within one `timeToLive`.
  func testTheFlipsOfABatchAreSpreadOverOneTimeToLive() async throws {
    let bed = try StatusTestBed()
    let references = try await bed.assign(bed.assignment("batch"))
    let now = bed.harness.clock.now
    let life = bed.settings.timeToLive
    let draws = (0..<10).map { Int64($0) * life / 10 }
    try await bed.harness.store.transaction { rows in
      var next = draws.makeIterator()
      try rows.revokeStatusEntries(of: .wallet("wallet"), settings: bed.settings, now: now) {
        XCTAssertEqual($0, life)
        return next.next() ?? 0
      }
    }
    let moments = try await bed.entries("batch").map { try XCTUnwrap($0.revokedAt) - now }
    XCTAssertEqual(moments.sorted(), draws)
    // The next list shows those whose moment has come, the one after it all.
    let begin = now / life * life + life
    bed.harness.clock.advance(begin - now)
    let some = try await bed.revoked(references)
    let entries = try await bed.entries("batch")
    XCTAssertEqual(some, entries.map { ($0.revokedAt ?? .max) <= begin })
    bed.harness.clock.advance(life)
    let all = try await bed.revoked(references)
    XCTAssertEqual(all, references.map { _ in true })
  }

  func testRandomFlipsOfManyBatchesFillTheWholeTimeToLive() async throws {
    let bed = try StatusTestBed()
    for number in 0..<20 { try await bed.assign(bed.assignment("\(number)", copies: 50)) }
    let now = bed.harness.clock.now
    let count = try await bed.revoke(.wallet("wallet"))
    XCTAssertEqual(count, 1_000)
    var moments: [Int64] = []
    for number in 0..<20 {
      moments += try await bed.entries("\(number)").map { try XCTUnwrap($0.revokedAt) - now }
    }
    XCTAssertTrue(moments.allSatisfy { (0..<bed.settings.timeToLive).contains($0) })
    // 100 are expected in each tenth; a deviation of 60 is six standard deviations.
    let tenths = Dictionary(grouping: moments) { $0 * 10 / bed.settings.timeToLive }
    XCTAssertEqual(Set(tenths.keys), Set(0..<10))
    for tenth in tenths.values { XCTAssertLessThan(abs(tenth.count - 100), 60) }
  }

  func testAReasonWhoseTransactionFailsRevokesNothing() async throws {
    let bed = try StatusTestBed()
    let (wallet, account, references) = try await proofed(bed)
    let failing = FailingBeforeCommit(inner: bed.harness.store)
    let accounts = AccountAdministration(
      identity: bed.harness.directory.identity, store: failing,
      settings: bed.harness.settings.proofing)
    let administration = WalletAdministration(store: failing, statusLists: bed.settings)
    let reasons: [() async throws -> Void] = [
      { _ = try await accounts.close(account: account) },
      { _ = try await accounts.forget(account: account) },
      { _ = try await accounts.revoke(account: account) },
      { _ = try await administration.delete(wallet.id) },
    ]
    for work in reasons {
      do {
        try await work()
        XCTFail("did not fail")
      } catch is FailingBeforeCommit.Killed {}
    }
    try await assertRevoked(references, false, bed)
    let summary = try await bed.harness.accounts.account(account)
    XCTAssertEqual(summary?.isClosed, false)
    XCTAssertEqual(summary?.hasWallet, true)
  }
}

final class StatusRevocationOnPostgreSQLTests: StatusRevocationTests {
  override class var kind: StoreKind { .postgreSQL }

  func testItRunsOnPostgreSQL() { XCTAssertEqual(Self.kind, .postgreSQL) }
}

/// A store whose process dies before each commit.
private struct FailingBeforeCommit: ProviderStore {
  struct Killed: Error {}

  let inner: any ProviderStore

  var clock: any ProviderClock { inner.clock }

  func transaction<Result: Sendable>(
    _ body: @escaping @Sendable (any ProviderTransaction) throws -> Result
  ) async throws -> Result {
    try await inner.transaction { rows -> Result in
      _ = try body(rows)
      throw Killed()
    }
  }

  func ping() async throws { try await inner.ping() }
}
