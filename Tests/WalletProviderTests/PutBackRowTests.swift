import Foundation
import WalletAttempts
import WalletProtocol
import WalletProvider
import XCTest

/// An attacker who puts an authentic row back from an older copy, or deletes one: what that yields
/// in each table, as the threat model says. A code proves who wrote a row, not that it is the latest.
class PutBackRowTests: StoreTestCase {
  private static let day: Int64 = 24 * 3_600_000

  func testTheThreatModelHasARowForEveryTable() throws {
    let file = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Sources/wallet_core/wallet_core.docc/threat-model.md")
    let lines = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n")
    let head = try XCTUnwrap(
      lines.firstIndex(
        of: "| table | a row put back from an older copy | a row deleted | noticed by |"))
    let rows = lines[(head + 2)...].prefix { $0.hasPrefix("| ") }
      .map { $0.components(separatedBy: " | ") }
    let names = rows.compactMap { $0.first }
    for table in StoredTable.allCases {
      XCTAssertEqual(names.filter { $0 == "| `\(table.rawValue)`" }.count, 1, table.rawValue)
    }
    XCTAssertTrue(rows.allSatisfy { $0.count == 4 }, "\(rows.map(\.count))")
  }

  func testARowThatIsPutBackOrDeletedYieldsWhatTheThreatModelSays() async throws {
    // Every table has its case, or this does not compile.
    for table in StoredTable.allCases {
      switch table {
      case .wallet:
        try await putBackWallet()
        try await deleteWallet()
      case .challenge:
        try await putBackChallenge()
        try await deleteChallenge()
      case .account:
        try await putBackAccount()
        try await deleteAccount()
      case .code:
        try await putBackCode()
        try await deleteCode()
      case .session:
        try await putBackSession()
        try await deleteSession()
      case .document: try await putBackAndDeleteDocument()
      case .refusedClaim: try await putBackAndDeleteRefusedClaims()
      case .page: try await putBackAndDeletePage()
      case .secret: try await putBackAndDeleteSecrets()
      }
    }
  }

  // MARK: Wallets and challenges

  /// The evaluator's count stays, so whoever also has the phone and its keys gains no attempt. After
  /// a change of the PIN the row names a key that the evaluator no longer has: no PIN works.
  private func putBackWallet() async throws {
    let harness = try ProviderHarness()
    let location = harness.storeLocation
    let wallet = try await TestWallet.confirmed(harness)
    try location.keepCopy(of: .wallet)
    for _ in 1...4 { _ = try await wallet.check("271828") }
    guard case .blocked = try await wallet.check("123654") else { return XCTFail("not blocked") }
    try location.putBack(.wallet)
    let blocked = try await wallet.check("271828")
    XCTAssertEqual(blocked, .blocked(milliseconds: 60_000, counted: false))
    harness.clock.advance(60_000)
    try location.putBack(.wallet)
    let fifth = try await wallet.check("271828")
    XCTAssertEqual(fifth, .wrong(attemptsLeft: 3, finalRound: false))
    let stored = try await harness.stored(wallet)
    XCTAssertEqual(stored?.attempts.wrongAttempts, 5, "as the evaluator counted")
    let former = wallet.pinKeyID
    let change = TestWallet.newChange()
    _ = try await wallet.prepareChange(from: "123654", to: "424243", change: change)
    _ = try await wallet.commitChange(change)
    try location.putBack(.wallet)
    let new = await problem { try await wallet.check("424243") }
    XCTAssertEqual(new, .instructionRefused, "the user notices this")
    wallet.pinKeyID = former
    do {
      let outcome = try await wallet.check("123654")
      XCTFail("\(outcome)")
    } catch is StoreFailure {}
  }

  /// Unknown; its hardware key can register again, without a PID.
  private func deleteWallet() async throws {
    let harness = try ProviderHarness()
    let wallet = try await TestWallet.confirmed(harness)
    let session = try await wallet.proofedSession()
    try harness.storeLocation.delete(.wallet)
    let asked = try await wallet.send(
      wallet.prepareChallenge(.checkPin))
    XCTAssertEqual(asked, .unknownWallet)
    let former = wallet.id
    try await wallet.register()
    XCTAssertNotEqual(wallet.id, former)
    _ = try await wallet.confirm()
    let issued = try await wallet.issue(session.id, pidKey: .makeP256())
    XCTAssertEqual(issued, .proofing(ProofingStatus(.lapsed)))
  }

  /// The wallet's sequence number refuses the request again, unless its row is put back too.
  private func putBackChallenge() async throws {
    let harness = try ProviderHarness()
    let location = harness.storeLocation
    let wallet = try await TestWallet.confirmed(harness)
    let challenge = try await wallet.challenge(for: .checkPin)
    for table in [StoredTable.challenge, .wallet] { try location.keepCopy(of: table) }
    let request = try wallet.preparePin(.checkPin, pin: "271828", challenge: challenge)
    let counted = try await wallet.send(request)
    XCTAssertEqual(counted, .wrong(attemptsLeft: 3, finalRound: false))
    try location.putBack(.challenge)
    let again = try await wallet.send(request)
    XCTAssertEqual(again, .sequenceRefused(current: wallet.sequence))
    let stored = try await harness.stored(wallet)
    XCTAssertEqual(stored?.attempts.wrongAttempts, 1)
    try location.putBack(.wallet)
    let anew = try await wallet.send(request)
    XCTAssertEqual(anew, counted)
    // The time at which it ends is authenticated.
    try location.putBack(.challenge)
    harness.clock.advance(harness.settings.challengeLife)
    let late = await problem { try await wallet.send(request) }
    XCTAssertEqual(late, .challengeRefused)
  }

  /// The request is refused; a challenge that made a wallet may be used again until it expires, unless
  /// the evaluator has deleted the PIN key.
  private func deleteChallenge() async throws {
    let harness = try ProviderHarness()
    let wallet = TestWallet(harness)
    let challenge = try await wallet.registrationChallenge()
    let registration = try wallet.preparePin(.register, pin: "123654", challenge: challenge)
    try wallet.accept(try await wallet.send(registration))
    _ = try await wallet.confirm()
    let request = try wallet.preparePin(
      .checkPin, pin: "123654", challenge: try await wallet.challenge(for: .checkPin))
    try harness.storeLocation.delete(.challenge)
    let refused = await problem { try await wallet.send(request) }
    XCTAssertEqual(refused, .challengeRefused)
    try harness.storeLocation.delete(.wallet)
    try harness.storeLocation.delete(.challenge)
    try wallet.accept(try await wallet.send(registration))
    _ = try await wallet.confirm()
    let deleted = try await wallet.delete()
    XCTAssertEqual(deleted, .deleted)
    try harness.storeLocation.delete(.challenge)
    let again = await problem { try await wallet.send(registration) }
    XCTAssertEqual(again, .challengeRefused)
    harness.clock.advance(harness.settings.challengeLife)
    let late = await problem { try await wallet.send(registration) }
    XCTAssertEqual(late, .challengeRefused)
  }

  // MARK: Accounts and codes

  /// Closed is open again; failures of then; without a wallet nobody is told; a refusal is forgotten.
  private func putBackAccount() async throws {
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
  private func deleteAccount() async throws {
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
  private func putBackCode() async throws {
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

  private func deleteCode() async throws {
    let harness = try ProviderHarness()
    let wallet = try await TestWallet.confirmed(harness)
    let code = try await harness.accounts.create(try TestPerson.person())
    try harness.storeLocation.delete(.code)
    let claim = try await wallet.claim(code)
    XCTAssertEqual(claim, .codeRefused(CodeRefusal(.invalid)))
  }

  // MARK: Sessions. What concerns replacements is in `ReplacementTests`.

  private func putBackSession() async throws {
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
    XCTAssertEqual(issued.holderKey.der, key.der)
    let other = try await TestWallet.confirmed(harness)
    let foreign = try await other.issue(proofed.id, pidKey: .makeP256())
    XCTAssertEqual(foreign, .proofing(ProofingStatus(.lapsed)))
    harness.clock.advance(harness.settings.proofing.issuanceLife)
    try location.putBack(.session)
    let late = try await wallet.issue(proofed.id, pidKey: .makeP256())
    XCTAssertEqual(late, .proofing(ProofingStatus(.lapsed)), "its end is authenticated")
  }

  /// The claim is released and the evidence lost.
  private func deleteSession() async throws {
    let harness = try ProviderHarness()
    let wallet = try await TestWallet.confirmed(harness)
    let code = try await harness.accounts.create(try TestPerson.person())
    let session = try await wallet.claimed(code)
    try harness.storeLocation.delete(.session)
    let status = try await wallet.status(session.id)
    XCTAssertEqual(status.state, .lapsed)
    _ = try await wallet.claimed(code)
  }

  // MARK: Documents, claims, pages and secrets

  private func putBackAndDeleteDocument() async throws {
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

  private func putBackAndDeleteRefusedClaims() async throws {
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

  private func putBackAndDeletePage() async throws {
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

  private func putBackAndDeleteSecrets() async throws {
    let harness = try ProviderHarness()
    let location = harness.storeLocation
    try await harness.provider.prepareSecrets()
    try location.keepCopy(of: .secret)
    let wallet = try await TestWallet.confirmed(harness)
    _ = try await wallet.proofedSession()
    try location.putBack(.secret)
    let document = try HeldDocument(
      issuer: "636014", number: "D1234567", familyName: "Mustermann", birthDate: "1990-12-31")
    let holder = try await harness.accounts.account(ofDocument: document)
    XCTAssertNotNil(holder, "nothing has changed")

    // Of evidence: a new one is made, and evidence that is sent again is refused.
    let session = try await wallet.newSession()
    let key = [UInt8](repeating: 7, count: 16)
    let failed = try await wallet.submit(try TestPerson.claims(), session.id, key: key)
    XCTAssertEqual(failed.state, .resubmit)
    try location.delete(.secret, where: "name LIKE '%evidence'")
    let resent = await problem {
      try await wallet.submit(try TestPerson.claims(), session.id, key: key)
    }
    XCTAssertEqual(resent, .instructionRefused)

    // Of documents: requests with evidence and starts fail while there is a document.
    for name in ["document", "document holder"] {
      try location.delete(.secret, where: "name LIKE '% \(name)'")
      do {
        let status = try await wallet.submit(try TestPerson.claims(), session.id)
        XCTFail("\(status)")
      } catch is StoreFailure {}
      do {
        try await harness.provider.prepareSecrets()
        XCTFail("started")
      } catch is StoreFailure {}
      try location.putBack(.secret)
    }
    try location.delete(.secret)
    try location.delete(.document)
    try await harness.provider.prepareSecrets()
  }
}
