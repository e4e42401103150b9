import ServerTestSupport
import WalletProtocol
import WalletProvider
import XCTest

/// A wallet that would take the place of a proofed one: it waits, and the owner is told and decides.
class ReplacementTests: StoreTestCase {
  private static let day: Int64 = 24 * 3_600_000

  /// A proofed wallet, and another one whose evidence was accepted for the same account.
  private struct Contest {
    let harness: ProviderHarness
    let owner: TestWallet
    let other: TestWallet
    let code: IssuedCode
    let session: String
    let status: ProofingStatus
  }

  private func contest(
    wait: Int64 = day, vetting: (any IdentityVetting)? = nil
  ) async throws -> Contest {
    let harness = try ProviderHarness(vetting: vetting, replacementWait: wait)
    let (owner, other) = (
      try await TestWallet.confirmed(harness), try await TestWallet.confirmed(harness)
    )
    let code = try await harness.accounts.create(try TestPerson.person())
    let proofed = try await owner.submit(try TestPerson.claims(), try await owner.claimed(code).id)
    XCTAssertEqual(proofed.state, .proofed)
    let issued = try await harness.accounts.issueCode(account: code.account)
    let second = try XCTUnwrap(issued)
    let session = try await other.claimed(second).id
    let status = try await other.submit(try TestPerson.claims(), session)
    return Contest(
      harness: harness, owner: owner, other: other, code: second, session: session, status: status)
  }

  private func assertStands(_ contest: Contest, line: UInt = #line) async throws {
    let kept = try await contest.harness.stored(contest.owner)
    XCTAssertNotNil(kept, line: line)
    let share = try await contest.owner.checkRight()
    XCTAssertEqual(share, contest.owner.share, line: line)
    let id = contest.code.account
    let account = try await contest.harness.store.transaction { try $0.account(id: id) }
    XCTAssertEqual(account?.wallet, contest.owner.id, line: line)
    let issued = try await contest.other.issue(contest.session, pidKey: .makeP256())
    guard case .proofing(let status) = issued else {
      return XCTFail("a PID for the other wallet", line: line)
    }
    XCTAssertNotEqual(status.state, .proofed, line: line)
  }

  func testAProofedWalletIsNotReplacedBeforeItsOwnerCouldRefuse() async throws {
    let contest = try await contest()
    XCTAssertEqual(contest.status.state, .waiting)
    XCTAssertEqual(contest.status.retryAfterMilliseconds, UInt64(Self.day))
    XCTAssertNotNil(contest.status.reference)
    try await assertStands(contest)
    // Neither asking nor sending anything again shortens the wait.
    contest.harness.clock.advance(Self.day - 1000)
    let asked = try await contest.other.status(contest.session)
    XCTAssertEqual(asked.state, .waiting)
    XCTAssertEqual(asked.retryAfterMilliseconds, 1000)
    let sent = try await contest.other.submit(try TestPerson.claims(), contest.session)
    XCTAssertEqual(sent, asked)
    try await assertStands(contest)
    // Then the next question replaces it.
    contest.harness.clock.advance(1000)
    let decided = try await contest.other.status(contest.session)
    XCTAssertEqual(decided.state, .proofed)
    _ = try contest.other.verified(
      try await contest.other.issue(contest.session, pidKey: .makeP256()))
    let replaced = try await contest.harness.stored(contest.owner)
    XCTAssertNil(replaced)
  }

  func testTheOwnerIsToldWithThePinAndWithThePinState() async throws {
    let contest = try await contest()
    contest.harness.clock.advance(3_600_000)
    for notice in [
      try await contest.owner.noticeOfCheck(), try await contest.owner.noticeOfState(),
    ] {
      XCTAssertEqual(notice?.session, contest.session)
      XCTAssertEqual(notice?.takesEffectInMilliseconds, UInt64(23 * 3_600_000))
    }
    // Nobody else is told, not even the wallet that waits.
    let notice = try await contest.other.noticeOfCheck()
    XCTAssertNil(notice)
  }

  func testARefusalDeclinesTheOtherWalletForGood() async throws {
    let contest = try await contest()
    let (refused, notice) = try await contest.owner.decide(.refuse, on: contest.session)
    guard case .valid = refused else { return XCTFail("\(refused)") }
    XCTAssertNil(notice)
    let answer = try await contest.other.status(contest.session)
    XCTAssertEqual(answer.state, .declined)
    XCTAssertEqual(answer.reference, contest.status.reference)
    let stored = try await contest.harness.session(contest.session)
    XCTAssertNil(stored?.record, "the evidence is deleted")
    // A repetition changes nothing, and neither does a late agreement.
    let again = try await contest.owner.decide(.refuse, on: contest.session)
    guard case .valid = again.outcome else { return XCTFail("\(again)") }
    _ = try await contest.owner.decide(.allow, on: contest.session)
    contest.harness.clock.advance(2 * Self.day)
    try await assertStands(contest)
    // The code is used up, and support sees what happened.
    let claim = try await contest.other.claim(contest.code)
    XCTAssertEqual(claim, .codeRefused(CodeRefusal(.invalid)))
    let account = try await contest.harness.accounts.account(contest.code.account)
    XCTAssertNotNil(account?.replacementRefused)
    XCTAssertNil(account?.replacement)
  }

  func testTheOwnerIsToldWhateverTheOrderOfCodesSays() async throws {
    let contest = try await contest()
    // Not authenticated, because nothing that is decided depends on it.
    let last = Self.kind == .sqlite ? "number + 1000" : "DEFAULT"
    try contest.harness.storeLocation.execute(
      "UPDATE enrolment_code SET number = \(last) WHERE verdict IS NOT NULL")
    let notice = try await contest.owner.noticeOfCheck()
    XCTAssertEqual(notice?.session, contest.session)
    let (refused, _) = try await contest.owner.decide(.refuse, on: contest.session)
    guard case .valid = refused else { return XCTFail("\(refused)") }
    let status = try await contest.other.status(contest.session)
    XCTAssertEqual(status.state, .declined)
  }

  func testARefusedReplacementThatIsPutBackIsDeclinedAgain() async throws {
    let contest = try await contest()
    let location = contest.harness.storeLocation
    let tables: [StoredTable] = [.session, .code]
    for table in tables { try location.keepCopy(of: table) }
    contest.harness.clock.advance(1000)
    _ = try await contest.owner.decide(.refuse, on: contest.session)
    for table in tables { try location.putBack(table) }
    contest.harness.clock.advance(2 * Self.day)
    let status = try await contest.other.status(contest.session)
    XCTAssertEqual(status.state, .declined)
    try await assertStands(contest)
  }

  /// Another wallet that waits for the account of the contest, with its session.
  private func secondRival(_ contest: Contest) async throws -> (wallet: TestWallet, id: String) {
    let wallet = try await TestWallet.confirmed(contest.harness)
    let issued = try await contest.harness.accounts.issueCode(account: contest.code.account)
    let session = try await wallet.claimed(try XCTUnwrap(issued)).id
    let status = try await wallet.submit(try TestPerson.claims(), session)
    XCTAssertEqual(status.state, .waiting)
    return (wallet, session)
  }

  /// Puts a session back as the provider wrote it, before all others in the order of ids.
  private func putFirst(
    _ session: StoredProofingSession, _ code: StoredEnrolmentCode? = nil, in contest: Contest
  ) async throws -> String {
    var first = session
    first.id = "-"
    let former = session.id
    try await contest.harness.store.transaction { [first] rows in
      try rows.deleteProofingSession(id: former)
      if let code {
        if try rows.enrolmentCode(hash: code.hash) == nil {
          try rows.insert(code)
        } else {
          try rows.update(code)
        }
      }
      try rows.insert(first)
    }
    return first.id
  }

  /// Checks that the owner is told of the rival and that a refusal keeps the wallet.
  private func assertTheOwnerRefuses(
    _ rival: (wallet: TestWallet, id: String), putBack: String, shown: String? = nil,
    in contest: Contest, line: UInt = #line
  ) async throws {
    let harness = contest.harness
    for notice in [
      try await contest.owner.noticeOfCheck(), try await contest.owner.noticeOfState(),
    ] { XCTAssertEqual(notice?.session, shown ?? rival.id, line: line) }
    let support = try await harness.accounts.account(contest.code.account)
    let waiting = try await harness.session(shown ?? rival.id)
    XCTAssertEqual(support?.replacement?.reference, try XCTUnwrap(waiting?.reference), line: line)
    harness.clock.advance(1000)
    let (refused, notice) = try await contest.owner.decide(.refuse, on: shown ?? rival.id)
    guard case .valid = refused else { return XCTFail("\(refused)", line: line) }
    XCTAssertNil(notice, line: line)
    for id in [rival.id, putBack] {
      let session = try await harness.session(id)
      XCTAssertEqual(session?.state, .declined, line: line)
      XCTAssertNil(session?.record, line: line)
    }
    let id = contest.code.account
    let account = try await harness.store.transaction { try $0.account(id: id) }
    XCTAssertEqual(account?.replacementRefusedAt, harness.clock.now, line: line)
    let status = try await rival.wallet.status(rival.id)
    XCTAssertEqual(status.state, .declined, line: line)
    harness.clock.advance(2 * Self.day)
    _ = try await rival.wallet.status(rival.id)
    try await assertStands(contest, line: line)
  }

  func testARefusedSessionThatIsPutBackHidesNoOther() async throws {
    for withItsCode in [false, true] {
      let contest = try await contest()
      let found = try await contest.harness.session(contest.session)
      let former = try XCTUnwrap(found)
      let code = try await contest.harness.code(former)
      contest.harness.clock.advance(1000)
      _ = try await contest.owner.decide(.refuse, on: contest.session)
      contest.harness.clock.advance(7 * Self.day)
      let rival = try await secondRival(contest)
      let id = try await putFirst(former, withItsCode ? code : nil, in: contest)
      try await assertTheOwnerRefuses(rival, putBack: id, in: contest)
    }
  }

  func testASessionThatWasAgreedToAndIsPutBackHidesNoOther() async throws {
    let contest = try await contest()
    let found = try await contest.harness.session(contest.session)
    var former = try XCTUnwrap(found)
    former.replacesAt = StoredProofingSession.agreed
    contest.harness.clock.advance(1000)
    _ = try await contest.owner.decide(.refuse, on: contest.session)
    contest.harness.clock.advance(1000)
    let rival = try await secondRival(contest)
    let id = try await putFirst(former, in: contest)
    try await assertTheOwnerRefuses(rival, putBack: id, in: contest)
  }

  func testTheOwnersFormerSessionThatIsPutBackHidesNoOther() async throws {
    let former = try await contest()
    let found = try await former.harness.session(former.session)
    _ = try await former.owner.decide(.allow, on: former.session)
    let proofed = try await former.other.status(former.session)
    XCTAssertEqual(proofed.state, .proofed)
    let rival = try await secondRival(former)
    _ = try await putFirst(try XCTUnwrap(found), in: former)
    let notice = try await former.other.noticeOfCheck()
    XCTAssertEqual(notice?.session, rival.id)
    _ = try await former.other.decide(.refuse, on: rival.id)
    let status = try await rival.wallet.status(rival.id)
    XCTAssertEqual(status.state, .declined)
  }

  func testARefusalEndsEveryWaitIfASessionOfAnEarlierCodeIsPutBack() async throws {
    let contest = try await contest()
    let found = try await contest.harness.session(contest.session)
    let former = try XCTUnwrap(found)
    let code = try await contest.harness.code(former)
    contest.harness.clock.advance(1000)
    let rival = try await secondRival(contest)
    let id = try await putFirst(former, code, in: contest)
    // The one that takes effect first.
    try await assertTheOwnerRefuses(rival, putBack: id, shown: id, in: contest)
  }

  func testASessionWhoseCodeHasItsVerdictGetsNoOther() async throws {
    let contest = try await contest()
    let location = contest.harness.storeLocation
    _ = try await contest.owner.decide(.allow, on: contest.session)
    try location.keepCopy(of: .session)
    contest.harness.clock.advance(1000)
    _ = try await contest.owner.decide(.refuse, on: contest.session)
    try location.putBack(.session)
    let status = try await contest.other.status(contest.session)
    XCTAssertEqual(status.state, .declined)
    try await assertStands(contest)
  }

  /// A provider of the same rows with another wait.
  private func provider(of contest: Contest, wait: Int64) throws -> Provider {
    var settings = contest.harness.settings
    settings.proofing.replacementWait = wait
    return Provider(
      identity: contest.harness.directory.identity, store: try contest.harness.secondStore(),
      evaluator: contest.harness.evaluator, settings: settings)
  }

  func testAnEarlierRefusalDoesNotMeanASessionOfLaterIfTheWaitIsRaised() async throws {
    let contest = try await contest()
    contest.harness.clock.advance(1000)
    _ = try await contest.owner.decide(.refuse, on: contest.session)
    contest.harness.clock.advance(1000)
    let rival = try await secondRival(contest)
    contest.harness.clock.advance(Self.day)
    let provider = try provider(of: contest, wait: 3 * Self.day)
    let status = try await rival.wallet.status(rival.id, of: provider)
    XCTAssertEqual(status.state, .proofed)
  }

  func testARefusedSessionThatIsPutBackIsKnownIfTheWaitIsLowered() async throws {
    let contest = try await contest()
    let location = contest.harness.storeLocation
    let tables: [StoredTable] = [.session, .code]
    for table in tables { try location.keepCopy(of: table) }
    contest.harness.clock.advance(1000)
    _ = try await contest.owner.decide(.refuse, on: contest.session)
    for table in tables { try location.putBack(table) }
    contest.harness.clock.advance(2 * Self.day)
    let provider = try provider(of: contest, wait: 3_600_000)
    let status = try await contest.other.status(contest.session, of: provider)
    XCTAssertEqual(status.state, .declined)
    try await assertStands(contest)
  }

  func testAnOwnerWhoAllowsItEndsTheWait() async throws {
    let contest = try await contest()
    let (allowed, notice) = try await contest.owner.decide(.allow, on: contest.session)
    guard case .valid = allowed else { return XCTFail("\(allowed)") }
    XCTAssertNil(notice, "the owner is not asked again")
    contest.harness.clock.advance(-3_600_000)
    let decided = try await contest.other.status(contest.session)
    XCTAssertEqual(decided.state, .proofed)
    let replaced = try await contest.harness.stored(contest.owner)
    XCTAssertNil(replaced)
  }

  func testOnlyTheOwnersPinDecides() async throws {
    let contest = try await contest()
    let (wrong, _) = try await contest.owner.decide(.allow, on: contest.session, pin: "271828")
    XCTAssertEqual(wrong, .wrong(attemptsLeft: 3, finalRound: false))
    // The thief has a PIN of his own.
    let (own, _) = try await contest.other.decide(.allow, on: contest.session)
    guard case .valid = own else { return XCTFail("\(own)") }
    // A decision is for the replacement that the owner saw.
    _ = try await contest.owner.decide(.allow, on: "another")
    let asked = try await contest.other.status(contest.session)
    XCTAssertEqual(asked.state, .waiting)
    try await assertStands(contest)
  }

  func testADecisionThatIsSentAgainGetsTheSameAnswer() async throws {
    let contest = try await contest()
    let request = try await contest.owner.prepareDecision(.refuse, on: contest.session)
    let first = try await contest.owner.send(request)
    let second = try await contest.owner.send(request)
    XCTAssertEqual(first, second)
    let answer = try await contest.other.status(contest.session)
    XCTAssertEqual(answer.state, .declined)
  }

  func testADeletedWalletStandsInNobodysWay() async throws {
    let contest = try await contest()
    // By the owner, who wipes the old phone, or by support, for a lost one.
    let outcome = try await contest.owner.delete()
    XCTAssertEqual(outcome, .deleted)
    let decided = try await contest.other.status(contest.session)
    XCTAssertEqual(decided.state, .proofed)
  }

  func testSupportSeesAndEndsAReplacement() async throws {
    let contest = try await contest()
    let accounts = contest.harness.accounts
    let shown = try await accounts.account(contest.code.account)
    XCTAssertEqual(shown?.replacement?.reference, contest.status.reference)
    XCTAssertNotNil(shown?.replacement?.takesEffect)
    XCTAssertNil(shown?.replacementRefused)
    let isEnded = try await accounts.refuseReplacement(account: contest.code.account)
    XCTAssertTrue(isEnded)
    let answer = try await contest.other.status(contest.session)
    XCTAssertEqual(answer.state, .declined)
    let isEndedAgain = try await accounts.refuseReplacement(account: contest.code.account)
    XCTAssertFalse(isEndedAgain)
    try await assertStands(contest)
  }

  func testTheWaitOutlivesTheServer() async throws {
    let contest = try await contest()
    contest.harness.clock.advance(Self.day / 2)
    let provider = try contest.harness.secondProvider()
    let asked = try await contest.other.status(contest.session, of: provider)
    XCTAssertEqual(asked.state, .waiting)
    XCTAssertEqual(asked.retryAfterMilliseconds, UInt64(Self.day / 2))
    contest.harness.clock.advance(Self.day / 2)
    let decided = try await contest.other.status(contest.session, of: provider)
    XCTAssertEqual(decided.state, .proofed)
  }

  func testEvidenceIsVettedAgainAfterTheWaitAndOtherEvidenceWaitsAgain() async throws {
    let vetting = ScriptedVetting([
      .proofed(sourceMatched: true), .proofed(sourceMatched: true), .resubmit(.notMatched),
      .proofed(sourceMatched: true),
    ])
    let contest = try await contest(vetting: vetting)
    XCTAssertEqual(contest.status.state, .waiting)
    contest.harness.clock.advance(Self.day)
    let vetted = try await contest.other.status(contest.session)
    XCTAssertEqual(vetted.state, .resubmit)
    let sent = try await contest.other.submit(try TestPerson.claims(), contest.session)
    XCTAssertEqual(sent.state, .waiting)
    XCTAssertEqual(sent.retryAfterMilliseconds, UInt64(Self.day))
  }

  func testWithoutAWaitingTimeAProofedWalletIsReplacedAtOnce() async throws {
    let contest = try await contest(wait: 0)
    XCTAssertEqual(contest.status.state, .proofed)
    let replaced = try await contest.harness.stored(contest.owner)
    XCTAssertNil(replaced)
  }

  func testAProviderForRealPeopleHasAWaitingTime() throws {
    var settings = ProofingSettings()
    XCTAssertEqual(settings.replacementWait, Self.day)
    settings.replacementWait = 0
    XCTAssertThrowsError(try settings.validate())
    settings.demonstration = true
    XCTAssertNoThrow(try settings.validate())
  }
}

extension TestWallet {
  /// The verified claims of the answer to `prepared`.
  private func claims(of prepared: Prepared) async throws -> InstructionResultClaims {
    let answer = try await harness.provider.answer(prepared.instruction, body: prepared.body)
    _ = try harness.result(answer, to: prepared.body, claims: prepared.claims)
    return try SignedMessage(parsing: answer.result).unverifiedContent(
      InstructionResultClaims.self)
  }

  fileprivate func noticeOfCheck() async throws -> ReplacementNotice? {
    try await claims(
      of: preparePin(.checkPin, pin: "123654", challenge: try await challenge(for: .checkPin))
    ).replacement
  }

  fileprivate func noticeOfState() async throws -> ReplacementNotice? {
    try await claims(
      of: preparePlain(
        .pinState, EmptyPayload(), challenge: try await challenge(for: .pinState))
    ).replacement
  }

  fileprivate func prepareDecision(
    _ decision: ReplacementDecision, on session: String, pin: String = "123654"
  ) async throws -> Prepared {
    let payload = ReplacementPayload(
      shareRecipient: Base64URL.encode(shareKey.publicKey), session: session, decision: decision)
    return try preparePin(
      .decideReplacement, pin: pin, challenge: try await challenge(for: .decideReplacement),
      payload: WireJSON.encode(payload))
  }

  fileprivate func decide(
    _ decision: ReplacementDecision, on session: String, pin: String = "123654"
  ) async throws -> (outcome: InstructionOutcome, notice: ReplacementNotice?) {
    let claims = try await claims(of: prepareDecision(decision, on: session, pin: pin))
    return (claims.outcome, claims.replacement)
  }
}
