import ServerTestSupport
import WalletCredentials
import WalletProtocol
import WalletProvider
import WalletProviderSQLite
import XCTest

/// The handling of evidence: resends, attempts, verdicts.
class EvidenceTests: StoreTestCase {
  private let key = [UInt8](repeating: 7, count: 16)
  private let day: Int64 = 24 * 3_600_000

  func testOwnersLicenceIsProofedAndConsumesTheCode() async throws {
    let harness = try ProviderHarness()
    let wallet = try await TestWallet.confirmed(harness)
    let code = try await harness.accounts.create(try TestPerson.person())
    let session = try await wallet.claimed(code)
    let status = try await wallet.submit(try TestPerson.claims(), session.id)
    XCTAssertEqual(status, ProofingStatus(.proofed, expiresInMilliseconds: UInt64(day)))
    let summary = try await harness.accounts.account(code.account)
    XCTAssertEqual(summary?.isProofed, true)
    XCTAssertEqual(summary?.hasWallet, true)
    XCTAssertEqual(summary?.code, .consumed)
    let found = try await harness.session(session.id)
    let stored = try XCTUnwrap(found)
    let consumed = try await harness.code(stored)
    XCTAssertEqual(consumed?.verdict, .proofed)
  }

  func testResendGetsTheSameVerdictAndIsVettedOnce() async throws {
    let vetting = ScriptedVetting([.resubmit(.notMatched), .proofed(sourceMatched: false)])
    let harness = try ProviderHarness(vetting: vetting)
    let wallet = try await TestWallet.confirmed(harness)
    let session = try await wallet.newSession()
    let first = try await wallet.submit(try TestPerson.claims(), session.id, key: key)
    let second = try await wallet.submit(try TestPerson.claims(), session.id, key: key)
    XCTAssertEqual(first, second)
    XCTAssertEqual(first.state, .resubmit)
    XCTAssertEqual(first.reason, .notMatched)
    XCTAssertEqual(first.attemptsLeft, 4)
    XCTAssertEqual(vetting.asked, 1)
    let other = try await wallet.submit(try TestPerson.claims(), session.id)
    XCTAssertEqual(other.state, .proofed)
    // A decided session is not decided again, whatever evidence is sent.
    let late = try await wallet.submit(try TestPerson.claims(family: "OTHER"), session.id)
    XCTAssertEqual(late.state, .proofed)
    XCTAssertEqual(vetting.asked, 2)
  }

  func testRefusesOtherEvidenceWithTheSameIdempotencyKey() async throws {
    let harness = try ProviderHarness()
    let wallet = try await TestWallet.confirmed(harness)
    let session = try await wallet.newSession()
    _ = try await wallet.submit(try TestPerson.claims(family: "OTHER"), session.id, key: key)
    let kind = await problem {
      try await wallet.submit(try TestPerson.claims(), session.id, key: self.key)
    }
    XCTAssertEqual(kind, .instructionRefused)
    let status = try await wallet.status(session.id)
    XCTAssertEqual(status.state, .resubmit)
    XCTAssertEqual(status.attemptsLeft, 4)
  }

  func testMalformedEvidenceConsumesNoAttempt() async throws {
    struct Wrong: Codable, Sendable { var family_name = 7 }
    let harness = try ProviderHarness()
    let wallet = try await TestWallet.confirmed(harness)
    let session = try await wallet.newSession()
    let text = Base64URL.encode(key)
    let huge = try TestPerson.claims(family: String(repeating: "A", count: 1025))
    let many = try TestPerson.claims(warnings: Array(repeating: "x", count: 65))
    let challenge = try await wallet.challenge(for: .submitEvidence)
    func sendEvidence(_ evidence: some Codable & Sendable, key: String) async throws {
      let payload = SubmissionPayload(
        wallet: wallet.id, challenge: challenge, session: session.id, idempotencyKey: key,
        evidence: evidence)
      _ = try await wallet.send(
        wallet.prepareSealed(.submitEvidence, payload, challenge: challenge))
    }
    let kinds = [
      await problem { try await sendEvidence(Wrong(), key: text) },
      await problem { try await sendEvidence(try TestPerson.claims(), key: "short") },
      await problem { try await wallet.submit(huge, session.id) },
      await problem { try await wallet.submit(many, session.id) },
    ]
    XCTAssertEqual(kinds, Array(repeating: .malformedRequest, count: 4))
    let plain = await problem {
      try await wallet.send(
        wallet.preparePlain(
          .submitEvidence,
          wallet.submission(
            try TestPerson.claims(), session.id, challenge: challenge),
          challenge: challenge))
    }
    XCTAssertEqual(plain, .instructionRefused)
    let status = try await wallet.status(session.id)
    XCTAssertEqual(status.state, .open)
    XCTAssertEqual(status.attemptsLeft, 5)
  }

  func testUsedUpAttemptsAreFinalAndLockTheAccountForAWhile() async throws {
    let harness = try ProviderHarness()
    let wallet = try await TestWallet.confirmed(harness)
    let code = try await harness.accounts.create(try TestPerson.person())
    let session = try await wallet.claimed(code)
    for left in [4, 3, 2, 1] as [UInt32] {
      let status = try await wallet.submit(try TestPerson.claims(family: "OTHER"), session.id)
      XCTAssertEqual(status.state, .resubmit)
      XCTAssertEqual(status.attemptsLeft, left)
    }
    let last = try await wallet.submit(try TestPerson.claims(family: "OTHER"), session.id)
    XCTAssertEqual(last.state, .exhausted)
    XCTAssertEqual(last.retryAfterMilliseconds, 15 * 60_000)
    XCTAssertEqual(last.reference?.count, 8)
    XCTAssertEqual(harness.observer.notices.last?.reference, last.reference)
    // The right licence comes too late.
    let late = try await wallet.submit(try TestPerson.claims(), session.id)
    XCTAssertEqual(late, last)

    let issued = try await harness.accounts.issueCode(account: code.account)
    let next = try XCTUnwrap(issued)
    guard case .codeRefused(let refusal) = try await wallet.claim(next) else {
      return XCTFail("was not refused")
    }
    XCTAssertEqual(refusal.reason, .accountFinal)
    harness.clock.advance(14 * 60_000 + 59_000)
    let later = try await harness.accounts.issueCode(account: code.account)
    harness.clock.advance(1_000)
    let again = try await wallet.claimed(try XCTUnwrap(later))
    XCTAssertEqual(again.attemptsLeft, 5)
  }

  func testRefusesADocumentOfAnotherAccountButNotOfTheSame() async throws {
    let harness = try ProviderHarness()
    let first = try await TestWallet.confirmed(harness)
    let code = try await harness.accounts.create(try TestPerson.person())
    let session = try await first.claimed(code)
    let proofed = try await first.submit(try TestPerson.claims(number: "D123-4567"), session.id)
    XCTAssertEqual(proofed.state, .proofed)

    let second = try await TestWallet.confirmed(harness)
    let other = try await second.newSession()
    let status = try await second.submit(try TestPerson.claims(number: "d1234567"), other.id)
    XCTAssertEqual(status.state, .resubmit)
    XCTAssertEqual(status.reason, .notMatched)
    // Document numbers are unique per issuer only.
    let third = try await second.newSession()
    let elsewhere = try await second.submit(try TestPerson.claims(issuer: "636015"), third.id)
    XCTAssertEqual(elsewhere.state, .proofed)

    let again = try await harness.accounts.issueCode(account: code.account)
    let same = try await first.claimed(try XCTUnwrap(again))
    let repeated = try await first.submit(try TestPerson.claims(), same.id)
    XCTAssertEqual(repeated.state, .proofed)
  }

  func testNoVerdictOfTheVettingProofsADocumentOfAnotherAccount() async throws {
    let vetting = ScriptedVetting(Array(repeating: .proofed(sourceMatched: false), count: 2))
    let harness = try ProviderHarness(vetting: vetting)
    for state in [ProofingStatus.State.proofed, .resubmit] {
      let wallet = try await TestWallet.confirmed(harness)
      let session = try await wallet.newSession()
      let status = try await wallet.submit(try TestPerson.claims(), session.id)
      XCTAssertEqual(status.state, state)
    }
  }

  /// A stranger who knows a document's number cannot use it up for the person it belongs to.
  func testDocumentNumberInAStrangersAccountDoesNotStandInTheOwnersWay() async throws {
    let harness = try ProviderHarness()
    let stranger = try await TestWallet.confirmed(harness)
    for (family, birth) in [("Musterfrau", "1990-12-31"), ("Mustermann", "1990-12-30")] {
      let code = try await harness.accounts.create(
        try TestPerson.person(family: family, birth: birth))
      let session = try await stranger.claimed(code)
      let status = try await stranger.submit(
        try TestPerson.claims(family: family.uppercased(), birth: birth), session.id)
      XCTAssertEqual(status.state, .proofed)
    }
    let owner = try await TestWallet.confirmed(harness)
    let session = try await owner.newSession()
    let status = try await owner.submit(try TestPerson.claims(), session.id)
    XCTAssertEqual(status.state, .proofed)
  }

  /// Whoever tries a number learns nothing of whether the provider knows it.
  func testUsedDocumentIsRefusedLikeAnUnconfirmedOneAfterTheSourceWasAsked() async throws {
    let source = CountingSource()
    let harness = try ProviderHarness(
      vetting: AccountVetting(settings: ProofingSettings(), source: source))
    let first = try await TestWallet.confirmed(harness)
    let proofed = try await first.submit(try TestPerson.claims(), try await first.newSession().id)
    XCTAssertEqual(proofed.state, .proofed)
    var refusals: [ProofingStatus] = []
    var notices: [ProofingNotice?] = []
    for isKnown in [true, false] {
      let wallet = try await TestWallet.confirmed(harness)
      let session = try await wallet.newSession()
      let asked = source.asked
      source.setConfirms(isKnown)
      let claims = try TestPerson.claims(number: isKnown ? "D1234567" : "D7654321")
      refusals.append(try await wallet.submit(claims, session.id))
      notices.append(harness.observer.notices.last)
      XCTAssertEqual(source.asked, asked + 1)
    }
    XCTAssertEqual(refusals[0].state, .resubmit)
    XCTAssertEqual(refusals[0], refusals[1])
    XCTAssertEqual(notices[0], notices[1])
  }

  func testSupportFindsAndFreesTheDocumentThatStandsInTheWay() async throws {
    let harness = try ProviderHarness()
    let first = try await TestWallet.confirmed(harness)
    let code = try await harness.accounts.create(try TestPerson.person())
    let session = try await first.claimed(code)
    _ = try await first.submit(try TestPerson.claims(), session.id)
    let document = try HeldDocument(
      issuer: "636014", number: "d123-4567", familyName: "MUSTERMANN", birthDate: "1990-12-31")
    let found = try await harness.accounts.account(ofDocument: document)
    XCTAssertEqual(found?.id, code.account)
    let other = try HeldDocument(
      issuer: "636014", number: "D1234567", familyName: "Musterfrau", birthDate: "1990-12-31")
    let none = try await harness.accounts.account(ofDocument: other)
    XCTAssertNil(none)
    let isUnknown = try await harness.accounts.free(other)
    XCTAssertFalse(isUnknown)

    let second = try await TestWallet.confirmed(harness)
    let next = try await second.newSession()
    let refused = try await second.submit(try TestPerson.claims(), next.id)
    XCTAssertEqual(refused.state, .resubmit)
    let isFreed = try await harness.accounts.free(document)
    XCTAssertTrue(isFreed)
    let proofed = try await second.submit(try TestPerson.claims(), next.id)
    XCTAssertEqual(proofed.state, .proofed)
  }

  func testRefusesAnInvalidDocumentWithoutQuotingIt() {
    for (issuer, number, family, birth) in [
      ("1", "D1234567", "Mustermann", "1990-12-31"), ("636014", "-", "Mustermann", "1990-12-31"),
      ("636014", "D1234567", "-", "1990-12-31"), ("636014", "D1234567", "Mustermann", "1990-2-31"),
    ] {
      XCTAssertThrowsError(
        try HeldDocument(issuer: issuer, number: number, familyName: family, birthDate: birth)
      ) { XCTAssertFalse("\($0)".contains("Mustermann") || "\($0)".contains("D1234567"), "\($0)") }
    }
    XCTAssertThrowsError(try HeldDocument(json: Array("{}".utf8)))
  }

  func testProofingReplacesTheEarlierWalletOfTheAccount() async throws {
    let harness = try ProviderHarness()
    let (lost, new) = (
      try await TestWallet.confirmed(harness), try await TestWallet.confirmed(harness)
    )
    let code = try await harness.accounts.create(try TestPerson.person())
    let session = try await lost.claimed(code)
    _ = try await lost.submit(try TestPerson.claims(), session.id)
    let issued = try await harness.accounts.issueCode(account: code.account)
    let claimed = try await new.claimed(try XCTUnwrap(issued))
    let before = try await lost.status(session.id)
    XCTAssertEqual(before.state, .proofed)
    let status = try await new.submit(try TestPerson.claims(), claimed.id)
    XCTAssertEqual(status.state, .proofed)
    let outcome = try await lost.send(
      lost.prepareChallenge(.checkPin))
    XCTAssertEqual(outcome, .unknownWallet)
    let stored = try await harness.session(session.id)
    XCTAssertNil(stored)
    let account = try await harness.store.transaction { try $0.account(id: code.account) }
    XCTAssertEqual(account?.wallet, new.id)
  }

  func testProofingEndsOtherSessionsOfTheAccount() async throws {
    let vetting = ScriptedVetting([.pending, .proofed(sourceMatched: false)])
    let harness = try ProviderHarness(vetting: vetting)
    let wallet = try await TestWallet.confirmed(harness)
    let code = try await harness.accounts.create(try TestPerson.person())
    let waiting = try await wallet.claimed(code)
    let pending = try await wallet.submit(try TestPerson.claims(), waiting.id)
    XCTAssertEqual(pending.state, .pending)
    let issued = try await harness.accounts.issueCode(account: code.account)
    let next = try await wallet.claimed(try XCTUnwrap(issued))
    let status = try await wallet.submit(try TestPerson.claims(), next.id)
    XCTAssertEqual(status.state, .proofed)
    let lapsed = try await wallet.status(waiting.id)
    XCTAssertEqual(lapsed, ProofingStatus(.lapsed))
    let stored = try await harness.session(waiting.id)
    XCTAssertNil(stored)
  }

  func testProofingOfAnEarlierAccountDoesNotDeleteItsFormerWallet() async throws {
    let harness = try ProviderHarness()
    let (wallet, other) = (
      try await TestWallet.confirmed(harness), try await TestWallet.confirmed(harness)
    )
    let earlier = try await harness.accounts.create(try TestPerson.person())
    let first = try await wallet.claimed(earlier)
    _ = try await wallet.submit(try TestPerson.claims(), first.id)
    let later = try await harness.accounts.create(try TestPerson.person())
    let second = try await wallet.claimed(later)
    _ = try await wallet.submit(try TestPerson.claims(number: "D2"), second.id)
    let forgotten = try await harness.accounts.account(earlier.account)
    XCTAssertEqual(forgotten?.hasWallet, false)

    let issued = try await harness.accounts.issueCode(account: earlier.account)
    let third = try await other.claimed(try XCTUnwrap(issued))
    let status = try await other.submit(try TestPerson.claims(), third.id)
    XCTAssertEqual(status.state, .proofed)
    let kept = try await harness.stored(wallet)
    XCTAssertNotNil(kept)
    let account = try await harness.accounts.account(later.account)
    XCTAssertEqual(account?.hasWallet, true)
  }

  func testNewCodeGivesNoAttemptsAndEndsEarlierSessions() async throws {
    let harness = try ProviderHarness()
    let (thief, owner) = (
      try await TestWallet.confirmed(harness), try await TestWallet.confirmed(harness)
    )
    let code = try await harness.accounts.create(try TestPerson.person())
    let stolen = try await thief.claimed(code)
    for _ in 1...4 {
      _ = try await thief.submit(try TestPerson.claims(family: "OTHER"), stolen.id)
    }
    let issued = try await harness.accounts.issueCode(account: code.account)
    let ended = try await thief.submit(try TestPerson.claims(), stolen.id)
    XCTAssertEqual(ended, ProofingStatus(.lapsed))
    let released = try await thief.release(stolen.id)
    XCTAssertEqual(released, .released)
    guard case .codeRefused(let refusal) = try await thief.claim(code) else {
      return XCTFail("the earlier code is claimed")
    }
    XCTAssertEqual(refusal.reason, .invalid)
    let session = try await owner.claimed(try XCTUnwrap(issued))
    XCTAssertEqual(session.attemptsLeft, 1)
    let last = try await owner.submit(try TestPerson.claims(family: "OTHER"), session.id)
    XCTAssertEqual(last.state, .exhausted)
  }

  func testPauseAndVerdictResetFailures() async throws {
    let harness = try ProviderHarness()
    let wallet = try await TestWallet.confirmed(harness)
    let code = try await harness.accounts.create(try TestPerson.person())
    func next() async throws -> ProofingSession {
      let issued = try await harness.accounts.issueCode(account: code.account)
      return try await wallet.claimed(try XCTUnwrap(issued))
    }
    var session = try await next()
    _ = try await wallet.submit(try TestPerson.claims(family: "OTHER"), session.id)
    harness.clock.advance(15 * 60_000 - 1)
    session = try await next()
    XCTAssertEqual(session.attemptsLeft, 4)
    harness.clock.advance(1)
    session = try await next()
    XCTAssertEqual(session.attemptsLeft, 5)
    _ = try await wallet.submit(try TestPerson.claims(family: "OTHER"), session.id)
    _ = try await wallet.submit(try TestPerson.claims(), session.id)
    session = try await next()
    XCTAssertEqual(session.attemptsLeft, 5)
  }

  func testPendingProofingThatEndsInAResubmitHasTheLifeOfASession() async throws {
    let harness = try ProviderHarness(
      vetting: ScriptedVetting([.pending, .resubmit(.notMatched)]))
    let wallet = try await TestWallet.confirmed(harness)
    let session = try await wallet.newSession()
    _ = try await wallet.submit(try TestPerson.claims(), session.id)
    harness.clock.advance(day)
    let status = try await wallet.status(session.id)
    XCTAssertEqual(status.state, .resubmit)
    XCTAssertEqual(status.expiresInMilliseconds, 3_600_000)
  }

  func testAccountSurvivesAForgottenPin() async throws {
    let harness = try ProviderHarness()
    let old = try await TestWallet.confirmed(harness)
    let code = try await harness.accounts.create(try TestPerson.person())
    let session = try await old.claimed(code)
    _ = try await old.submit(try TestPerson.claims(), session.id)
    _ = try await old.delete()
    let wallet = try await TestWallet.confirmed(harness)
    let issued = try await harness.accounts.issueCode(account: code.account)
    let again = try await wallet.claimed(try XCTUnwrap(issued))
    let status = try await wallet.submit(try TestPerson.claims(), again.id)
    XCTAssertEqual(status.state, .proofed)
    let (pid, _, _) = try wallet.verified(try await wallet.issue(again.id, pidKey: .makeP256()))
    XCTAssertEqual(pid.familyName, "Mustermann")
  }

  func testLaterStatusRequestDecidesAPendingProofing() async throws {
    let verdict = SwitchedVerdict(.pending)
    let harness = try ProviderHarness(
      vetting: SimulatedVetting(verdict, else: AccountVetting(settings: .forDemonstration)))
    let wallet = try await TestWallet.confirmed(harness)
    let session = try await wallet.newSession()
    let pending = try await wallet.submit(try TestPerson.claims(), session.id, key: key)
    XCTAssertEqual(pending.state, .pending)
    XCTAssertEqual(pending.retryAfterMilliseconds, 5_000)
    XCTAssertEqual(pending.expiresInMilliseconds, UInt64(30 * day))
    XCTAssertEqual(pending.reference?.count, 8)
    harness.clock.advance(day)
    let still = try await wallet.status(session.id)
    XCTAssertEqual(still.reference, pending.reference)
    XCTAssertEqual(still.expiresInMilliseconds, UInt64(29 * day))
    // Other evidence does not replace evidence that awaits a decision.
    let other = try await wallet.submit(try TestPerson.claims(family: "OTHER"), session.id)
    XCTAssertEqual(other.state, .pending)
    verdict.set(nil)
    let decided = try await wallet.status(session.id)
    XCTAssertEqual(decided.state, .proofed)
    let resent = try await wallet.submit(try TestPerson.claims(), session.id, key: key)
    XCTAssertEqual(resent.state, .proofed)
  }

  func testSimulatedDeclinedIsFinalAndSimulatedUnavailableIsNot() async throws {
    let verdict = SwitchedVerdict(.unavailable)
    let harness = try ProviderHarness(
      vetting: SimulatedVetting(verdict, else: AccountVetting(settings: .forDemonstration)))
    let wallet = try await TestWallet.confirmed(harness)
    let session = try await wallet.newSession()
    let unavailable = try await wallet.submit(try TestPerson.claims(), session.id, key: key)
    XCTAssertEqual(unavailable.state, .sourceUnavailable)
    XCTAssertEqual(unavailable.retryAfterMilliseconds, 60_000)
    let stored = try await harness.session(session.id)
    XCTAssertNil(stored?.record)
    verdict.set(.declined)
    let declined = try await wallet.submit(try TestPerson.claims(), session.id, key: key)
    XCTAssertEqual(declined.state, .declined)
    verdict.set(nil)
    let after = try await wallet.submit(try TestPerson.claims(), session.id)
    XCTAssertEqual(after.state, .declined)
  }

  func testEndlessVettingCountsAsAnUnavailableSource() async throws {
    var settings = ProviderSettings()
    settings.proofing.vettingDeadline = 50
    let harness = try ProviderHarness(settings: settings, vetting: EndlessVetting())
    let wallet = try await TestWallet.confirmed(harness)
    let session = try await wallet.newSession()
    let status = try await wallet.submit(try TestPerson.claims(), session.id)
    XCTAssertEqual(status.state, .sourceUnavailable)
  }

  func testVetsACaseOnceHoweverManyRequestsWaitForIt() async throws {
    let vetting = HeldVetting()
    let harness = try ProviderHarness(vetting: vetting)
    let wallet = try await TestWallet.confirmed(harness)
    let session = try await wallet.newSession()
    let request = try await wallet.prepareSubmission(try TestPerson.claims(), session.id)
    let store = UndoCountingStore(inner: harness.store)
    let provider = Provider(
      identity: harness.directory.identity, store: store, evaluator: harness.evaluator,
      settings: harness.settings,
      vetting: vetting)
    let answers = try await withThrowingTaskGroup(of: String.self) { group in
      for _ in 1...8 {
        group.addTask {
          try await provider.answer(request.instruction, body: request.body).result
        }
      }
      // No request is answered while the vetting is held: all eight wait for it.
      while store.undone < 8 || vetting.asked == 0 { await Task.yield() }
      vetting.open()
      return try await group.reduce(into: []) { $0.append($1) }
    }
    XCTAssertEqual(Set(answers).count, 1)
    XCTAssertEqual(vetting.asked, 1)
  }

  func testEvidenceForAnotherWalletsSessionIsRefusedAsLapsed() async throws {
    let harness = try ProviderHarness()
    let session = try await TestWallet.confirmed(harness).newSession()
    let thief = try await TestWallet.confirmed(harness)
    for id in [session.id, "", "unknown", String(repeating: "x", count: 129)] {
      let status = try await thief.submit(try TestPerson.claims(), id)
      XCTAssertEqual(status, ProofingStatus(.lapsed))
      let asked = try await thief.status(id)
      XCTAssertEqual(asked, ProofingStatus(.lapsed))
    }
  }

  func testDeclinesAnAccountClosedInTheMeantime() async throws {
    let harness = try ProviderHarness()
    let wallet = try await TestWallet.confirmed(harness)
    let code = try await harness.accounts.create(try TestPerson.person())
    let session = try await wallet.claimed(code)
    _ = try await harness.accounts.close(account: code.account)
    let status = try await wallet.submit(try TestPerson.claims(), session.id)
    XCTAssertEqual(status.state, .declined)
  }

  func testClosingAnAccountDeclinesPendingSessionsAndDeletesTheirEvidence() async throws {
    let harness = try ProviderHarness(
      vetting: SimulatedVetting(SimulatedVerdict.pending, else: NoVetting()))
    let wallet = try await TestWallet.confirmed(harness)
    let code = try await harness.accounts.create(try TestPerson.person())
    let session = try await wallet.claimed(code)
    let pending = try await wallet.submit(try TestPerson.claims(), session.id)
    XCTAssertEqual(pending.state, .pending)
    _ = try await harness.accounts.close(account: code.account)
    let found = try await harness.session(session.id)
    let stored = try XCTUnwrap(found)
    XCTAssertEqual(stored.state, .declined)
    XCTAssertNil(stored.record)
    XCTAssertEqual(stored.expiresAt, harness.clock.now + 24 * 3_600_000)
    let consumed = try await harness.code(stored)
    XCTAssertEqual(consumed?.verdict, .declined)
    let status = try await wallet.status(session.id)
    XCTAssertEqual(status, ProofingStatus(.declined, reference: pending.reference))
    // Nothing is left of a verdict whose PID was not fetched.
    let proofed = try await harness.accounts.create(try TestPerson.person())
    let other = ScriptedVetting([.proofed(sourceMatched: false)])
    let provider = Provider(
      identity: harness.directory.identity, store: harness.store, evaluator: harness.evaluator,
      settings: harness.settings,
      vetting: other)
    let done = try await wallet.claimed(proofed)
    _ = try await wallet.submit(try TestPerson.claims(), done.id, to: provider)
    _ = try await harness.accounts.close(account: proofed.account)
    let last = try await wallet.status(done.id)
    XCTAssertEqual(last.state, .lapsed)
    let gone = try await harness.session(done.id)
    XCTAssertNil(gone)
  }

  func testClosingAnAccountDeletesEvidenceWhateverTheOrderOfCodesSays() async throws {
    let verdict = SwitchedVerdict(.pending)
    let harness = try ProviderHarness(
      vetting: SimulatedVetting(verdict, else: AccountVetting(settings: .forDemonstration)))
    let wallet = try await TestWallet.confirmed(harness)
    let first = try await harness.accounts.create(try TestPerson.person())
    verdict.set(nil)
    let proofed = try await wallet.submit(
      try TestPerson.claims(), try await wallet.claimed(first).id)
    XCTAssertEqual(proofed.state, .proofed)
    verdict.set(.pending)
    let other = try await TestWallet.confirmed(harness)
    let issued = try await harness.accounts.issueCode(account: first.account)
    let session = try await other.claimed(try XCTUnwrap(issued))
    let pending = try await other.submit(try TestPerson.claims(), session.id)
    XCTAssertEqual(pending.state, .pending)
    let last = Self.kind == .sqlite ? "number + 1000" : "DEFAULT"
    try harness.storeLocation.execute(
      "UPDATE enrolment_code SET number = \(last) WHERE verdict IS NOT NULL")
    _ = try await harness.accounts.close(account: first.account)
    let stored = try await harness.session(session.id)
    XCTAssertEqual(stored?.state, .declined)
    XCTAssertNil(stored?.record)
    let status = try await other.status(session.id)
    XCTAssertEqual(status, ProofingStatus(.declined, reference: pending.reference))
  }

  func testVetsACaseAgainThatChangedDuringVetting() async throws {
    let harness = try ProviderHarness()
    // Another wallet is proofed with the document for its account during the first vetting.
    let meanwhile = try await TestWallet.confirmed(harness)
    let theirs = try await meanwhile.newSession()
    let request = try await meanwhile.prepareSubmission(try TestPerson.claims(), theirs.id)
    let vetting = InterruptedVetting {
      _ = try? await harness.provider.answer(request.instruction, body: request.body)
    }
    let provider = Provider(
      identity: harness.directory.identity, store: harness.store, evaluator: harness.evaluator,
      settings: harness.settings,
      vetting: vetting)
    let wallet = try await TestWallet.confirmed(harness)
    let session = try await wallet.newSession()
    let status = try await wallet.submit(try TestPerson.claims(), session.id, to: provider)
    XCTAssertEqual(status.state, .resubmit)
    XCTAssertEqual(status.reason, .notMatched)
    let winner = try await meanwhile.status(theirs.id)
    XCTAssertEqual(winner.state, .proofed)
  }
}
