import ServerTestSupport
import WalletCredentials
import WalletProtocol
import WalletProvider
import XCTest

// Rows of identity proofing that are put back or deleted. What concerns replacements is in
// `ReplacementTests`.

extension PutBackRowTests {
  private static let day: Int64 = 24 * 3_600_000

  /// Closed is open again; failures of then; without a wallet nobody is told; a refusal is forgotten.
  func putBackAccount() async throws {
    let harness = try ProviderHarness(replacementWait: Self.day)
    let location = harness.storeLocation
    let owner = try await TestWallet.confirmed(harness)
    let code = try await harness.accounts.create(try TestPerson.person())
    try location.keepCopy(of: .account)
    let session = try await owner.claimed(code)
    let failed = try await owner.submit(try TestPerson.claims(family: "OTHER"), session.id)
    XCTAssertEqual(failed.state, .resubmit)
    try location.putBack(.account)
    let id = code.account
    let forgotten = try await harness.store.transaction { try $0.account(id: id) }
    XCTAssertEqual(forgotten?.failedAttempts, 0)
    _ = try await harness.accounts.close(account: code.account)
    try location.putBack(.account)
    let summary = try await harness.accounts.account(code.account)
    XCTAssertEqual(summary?.isClosed, false)

    let again = try await harness.accounts.issueCode(account: code.account)
    let proofed = try await owner.submit(
      try TestPerson.claims(), try await owner.claimed(try XCTUnwrap(again)).id)
    XCTAssertEqual(proofed.state, .proofed)
    try location.putBack(.account)
    let other = try await TestWallet.confirmed(harness)
    let issued = try await harness.accounts.issueCode(account: code.account)
    let unasked = try await other.submit(
      try TestPerson.claims(), try await other.claimed(try XCTUnwrap(issued)).id)
    XCTAssertEqual(unasked.state, .proofed, "the account knew no wallet")
    let kept = try await harness.stored(owner)
    XCTAssertNotNil(kept)

    // A refusal is forgotten with the row that has it.
    try location.keepCopy(of: .account)
    let rival = try await TestWallet.confirmed(harness)
    let last = try await harness.accounts.issueCode(account: code.account)
    let waiting = try await rival.claimed(try XCTUnwrap(last))
    let status = try await rival.submit(try TestPerson.claims(), waiting.id)
    XCTAssertEqual(status.state, .waiting)
    for table in [StoredTable.session, .code] { try location.keepCopy(of: table) }
    harness.clock.advance(1000)
    let isRefused = try await harness.accounts.refuseReplacement(account: code.account)
    XCTAssertTrue(isRefused)
    for table in [StoredTable.account, .session, .code] { try location.putBack(table) }
    harness.clock.advance(Self.day)
    let decided = try await rival.status(waiting.id)
    XCTAssertEqual(decided.state, .proofed)
  }

  /// Nobody can be proofed for it: its codes are refused, its sessions fail.
  func deleteAccount() async throws {
    let harness = try ProviderHarness()
    let wallet = try await TestWallet.confirmed(harness)
    let code = try await harness.accounts.create(try TestPerson.person())
    let session = try await wallet.newSession()
    try harness.storeLocation.delete(.account)
    let claim = try await wallet.claim(code)
    XCTAssertEqual(claim, .codeRefused(CodeRefusal(.invalid)))
    do {
      let status = try await wallet.submit(try TestPerson.claims(), session.id)
      XCTFail("\(status)")
    } catch is StoreFailure {}
    let listed = try await harness.accounts.accounts()
    XCTAssertEqual(listed, [])
  }

  /// It can be claimed again, with the attempts of then.
  func putBackCode() async throws {
    let harness = try ProviderHarness()
    let location = harness.storeLocation
    let wallet = try await TestWallet.confirmed(harness)
    let code = try await harness.accounts.create(try TestPerson.person())
    try location.keepCopy(of: .code)
    let session = try await wallet.claimed(code)
    let failed = try await wallet.submit(try TestPerson.claims(birth: "1991-01-01"), session.id)
    XCTAssertEqual(failed.attemptsLeft, 4)
    let other = try await TestWallet.confirmed(harness)
    let taken = try await other.claim(code)
    XCTAssertEqual(taken, .codeRefused(CodeRefusal(.claimedElsewhere)))
    try location.putBack(.code)
    let again = try await other.claimed(code)
    XCTAssertEqual(again.attemptsLeft, 5)
    harness.clock.advance(harness.settings.proofing.codeLife)
    try location.putBack(.code)
    let third = try await TestWallet.confirmed(harness)
    let late = try await third.claim(code)
    XCTAssertEqual(late, .codeRefused(CodeRefusal(.invalid)), "its end is authenticated")
  }

  func deleteCode() async throws {
    let harness = try ProviderHarness()
    let wallet = try await TestWallet.confirmed(harness)
    let code = try await harness.accounts.create(try TestPerson.person())
    try harness.storeLocation.delete(.code)
    let claim = try await wallet.claim(code)
    XCTAssertEqual(claim, .codeRefused(CodeRefusal(.invalid)))
  }

  func putBackSession() async throws {
    let vetting = ScriptedVetting([
      .pending, .resubmit(.notMatched), .pending, .declined, .proofed(sourceMatched: true),
    ])
    let harness = try ProviderHarness(vetting: vetting)
    let location = harness.storeLocation
    let wallet = try await TestWallet.confirmed(harness)
    let session = try await wallet.newSession()
    let pending = try await wallet.submit(try TestPerson.claims(), session.id)
    XCTAssertEqual(pending.state, .pending)
    try location.keepCopy(of: .session)
    let resubmit = try await wallet.status(session.id)
    XCTAssertEqual(resubmit.state, .resubmit)
    try location.putBack(.session)
    let again = try await wallet.status(session.id)
    XCTAssertEqual(again.state, .pending, "without a verdict the decision is pending again")
    let declined = try await wallet.status(session.id)
    XCTAssertEqual(declined.state, .declined)
    try location.putBack(.session)
    let final = try await wallet.status(session.id)
    XCTAssertEqual(final.state, .declined, "the code has its verdict")

    // A PID for another key of the same wallet while it can be fetched.
    let proofed = try await wallet.newSession()
    _ = try await wallet.submit(try TestPerson.claims(), proofed.id)
    try location.keepCopy(of: .session)
    _ = try wallet.verified(try await wallet.issue(proofed.id, pidKey: .makeP256()))
    try location.putBack(.session)
    let key = TestHardwareKey.makeP256()
    let (_, issued, _) = try wallet.verified(try await wallet.issue(proofed.id, pidKey: key))
    XCTAssertEqual(issued.terms.holderKey?.der, key.der)
    let other = try await TestWallet.confirmed(harness)
    let foreign = try await other.issue(proofed.id, pidKey: .makeP256())
    XCTAssertEqual(foreign, .proofing(ProofingStatus(.lapsed)))
    harness.clock.advance(harness.settings.proofing.issuanceLife)
    try location.putBack(.session)
    let late = try await wallet.issue(proofed.id, pidKey: .makeP256())
    XCTAssertEqual(late, .proofing(ProofingStatus(.lapsed)), "its end is authenticated")
  }

  /// The claim is released and the evidence lost.
  func deleteSession() async throws {
    let harness = try ProviderHarness()
    let wallet = try await TestWallet.confirmed(harness)
    let code = try await harness.accounts.create(try TestPerson.person())
    let session = try await wallet.claimed(code)
    try harness.storeLocation.delete(.session)
    let status = try await wallet.status(session.id)
    XCTAssertEqual(status.state, .lapsed)
    _ = try await wallet.claimed(code)
  }

  func putBackAndDeleteDocument() async throws {
    let harness = try ProviderHarness()
    let location = harness.storeLocation
    let wallet = try await TestWallet.confirmed(harness)
    _ = try await wallet.proofedSession()
    try location.keepCopy(of: .document)
    let document = try HeldDocument(
      issuer: "636014", number: "D1234567", familyName: "Mustermann", birthDate: "1990-12-31")
    let isFreed = try await harness.accounts.free(document)
    XCTAssertTrue(isFreed)
    try location.putBack(.document)
    let holder = try await harness.accounts.account(ofDocument: document)
    XCTAssertNotNil(holder, "it is taken again, and support sees by whom")
    let other = try await TestWallet.confirmed(harness)
    let session = try await other.newSession()
    let taken = try await other.submit(try TestPerson.claims(), session.id)
    XCTAssertEqual(taken.state, .resubmit)
    try location.delete(.document)
    let used = try await other.submit(try TestPerson.claims(), session.id)
    XCTAssertEqual(used.state, .proofed, "for another account")
  }

  func putBackAndDeleteRefusedClaims() async throws {
    let harness = try ProviderHarness()
    let location = harness.storeLocation
    let wallet = try await TestWallet.confirmed(harness)
    for number in 1...5 { _ = try await wallet.claim(secret: sha256([UInt8(number)])) }
    func claim() async throws -> CodeRefusal.Reason? {
      guard case .codeRefused(let refusal) = try await wallet.claim(secret: sha256([9])) else {
        return nil
      }
      return refusal.reason
    }
    let limited = try await claim()
    XCTAssertEqual(limited, .rateLimited)
    try location.keepCopy(of: .refusedClaim)
    try location.delete(.refusedClaim)
    let more = try await claim()
    XCTAssertEqual(more, .invalid, "as many claims again")
    try location.putBack(.refusedClaim)
    let again = try await claim()
    XCTAssertEqual(again, .rateLimited)
    harness.clock.advance(harness.settings.proofing.refusedClaimWindow)
    try location.putBack(.refusedClaim)
    let over = try await claim()
    XCTAssertEqual(over, .invalid, "they count for what is left of the time")
  }

  func putBackAndDeletePage() async throws {
    let harness = try ProviderHarness()
    let location = harness.storeLocation
    let wallet = try await TestWallet.confirmed(harness)
    let id = try await harness.accounts.createPage(try TestPerson.person())
    try location.keepCopy(of: .page)
    let first = try await harness.accounts.page(id)
    let code = try XCTUnwrap(first?.code)
    let renewal = try await harness.accounts.renewPage(id)
    XCTAssertEqual(renewal, .renewed)
    try location.putBack(.page)
    let shown = try await harness.accounts.page(id)
    XCTAssertEqual(shown?.state, .expired)
    XCTAssertNil(shown?.code)
    let claim = try await wallet.claim(code)
    XCTAssertEqual(claim, .codeRefused(CodeRefusal(.invalid)))
    try location.delete(.page)
    let gone = try await harness.accounts.page(id)
    XCTAssertNil(gone)
  }
}
