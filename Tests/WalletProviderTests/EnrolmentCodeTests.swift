import ServerTestSupport
import WalletProtocol
import WalletProvider
import XCTest

/// Which wallets get an enrolment code.
class EnrolmentCodeTests: StoreTestCase {
  private let minute: Int64 = 60_000

  private func refusal(_ outcome: InstructionOutcome) throws -> CodeRefusal {
    guard case .codeRefused(let refusal) = outcome else {
      throw UnexpectedOutcome(outcome: outcome)
    }
    return refusal
  }

  private func guess() -> [UInt8] { (0..<32).map { _ in UInt8.random(in: 0...255) } }

  func testClaimReturnsTheMaskedLabelAndAcceptedDocuments() async throws {
    let harness = try ProviderHarness()
    let wallet = try await TestWallet.confirmed(harness, hardware: .makeP256())
    let session = try await wallet.newSession()
    XCTAssertEqual(session.accountLabel, "e•••@example.org")
    XCTAssertEqual(session.expiresInMilliseconds, 3_600_000)
    XCTAssertEqual(session.attemptsLeft, 5)
    XCTAssertEqual(session.kinds, [.licence, .identityCard, .enhancedLicence])
    XCTAssertEqual(session.countries, [.unitedStates, .canada])
    XCTAssertEqual(session.minimumAge, 18)
    XCTAssertEqual(session.maximumAge, 120)
    let status = try await wallet.status(session.id)
    XCTAssertEqual(
      status, ProofingStatus(.open, attemptsLeft: 5, expiresInMilliseconds: 3_600_000))
  }

  func testUnknownExpiredReplacedAndUsedCodesGetTheSameAnswer() async throws {
    let harness = try ProviderHarness()
    let wallet = try await TestWallet.confirmed(harness)
    var answers = [try refusal(try await wallet.claim(secret: guess()))]

    let replaced = try await harness.accounts.create(try TestPerson.person())
    let latest = try await harness.accounts.issueCode(account: replaced.account)
    answers.append(try refusal(try await wallet.claim(replaced)))

    harness.clock.advance(15 * minute)
    answers.append(try refusal(try await wallet.claim(try XCTUnwrap(latest))))

    let used = try await harness.accounts.create(try TestPerson.person())
    let session = try await wallet.claimed(used)
    _ = try await wallet.submit(try TestPerson.claims(), session.id)
    answers.append(try refusal(try await wallet.claim(used)))
    XCTAssertEqual(answers, Array(repeating: CodeRefusal(.invalid), count: 4))
  }

  func testCodeCanBeClaimedOnlyUntilItExpires() async throws {
    let harness = try ProviderHarness()
    let wallet = try await TestWallet.confirmed(harness)
    let code = try await harness.accounts.create(try TestPerson.person())
    harness.clock.advance(15 * minute - 1)
    _ = try await wallet.claimed(code)
  }

  func testRepeatedClaimFindsTheSameSessionEvenAfterTheCodeExpired() async throws {
    let harness = try ProviderHarness()
    let wallet = try await TestWallet.confirmed(harness)
    let code = try await harness.accounts.create(try TestPerson.person())
    let first = try await wallet.claimed(code)
    let second = try await wallet.claimed(code)
    XCTAssertEqual(first, second)
    harness.clock.advance(20 * minute)
    let third = try await wallet.claimed(code)
    XCTAssertEqual(third.id, first.id)
    XCTAssertEqual(third.expiresInMilliseconds, 40 * 60_000)
  }

  func testNoOtherWalletGetsAClaimedCodeUntilItIsReleased() async throws {
    let harness = try ProviderHarness()
    let (first, second) = (
      try await TestWallet.confirmed(harness), try await TestWallet.confirmed(harness)
    )
    let code = try await harness.accounts.create(try TestPerson.person())
    let session = try await first.claimed(code)
    let elsewhere = try refusal(try await second.claim(code))
    XCTAssertEqual(elsewhere, CodeRefusal(.claimedElsewhere))
    // A wallet cannot release another wallet's claim.
    let foreign = try await second.release(session.id)
    XCTAssertEqual(foreign, .released)
    let still = try await first.status(session.id)
    XCTAssertEqual(still.state, .open)

    let released = try await first.release(session.id)
    XCTAssertEqual(released, .released)
    let gone = try await first.status(session.id)
    XCTAssertEqual(gone, ProofingStatus(.lapsed))
    _ = try await second.claimed(code)
  }

  func testReleaseDeletesPendingEvidence() async throws {
    let harness = try ProviderHarness(
      vetting: SimulatedVetting(SimulatedVerdict.pending, else: NoVetting()))
    let wallet = try await TestWallet.confirmed(harness)
    let code = try await harness.accounts.create(try TestPerson.person())
    let session = try await wallet.claimed(code)
    _ = try await wallet.submit(try TestPerson.claims(), session.id)
    let kept = try await harness.session(session.id)
    XCTAssertNotNil(kept?.record)
    _ = try await wallet.release(session.id)
    let wiped = try await harness.session(session.id)
    XCTAssertNil(wiped)
  }

  func testAttemptsBelongToTheCodeAndSurviveARelease() async throws {
    let harness = try ProviderHarness()
    let wallet = try await TestWallet.confirmed(harness)
    let code = try await harness.accounts.create(try TestPerson.person())
    let session = try await wallet.claimed(code)
    _ = try await wallet.submit(try TestPerson.claims(family: "OTHER"), session.id)
    _ = try await wallet.release(session.id)
    let again = try await wallet.claimed(code)
    XCTAssertNotEqual(again.id, session.id)
    XCTAssertEqual(again.attemptsLeft, 4)
  }

  func testClaimOnAClosedAccountIsRefusedWithALoggedReference() async throws {
    let harness = try ProviderHarness()
    let wallet = try await TestWallet.confirmed(harness)
    let code = try await harness.accounts.create(try TestPerson.person())
    let closed = try await harness.accounts.close(account: code.account)
    XCTAssertTrue(closed)
    let answer = try refusal(try await wallet.claim(code))
    XCTAssertEqual(answer.reason, .accountFinal)
    let reference = try XCTUnwrap(answer.reference)
    XCTAssertEqual(reference.count, 8)
    XCTAssertTrue(reference.allSatisfy { "23456789ABCDEFGHJKLMNPQRSTUVWXYZ".contains($0) })
    XCTAssertEqual(harness.observer.notices.last?.reference, reference)
    XCTAssertEqual(harness.observer.notices.last?.result, "refused.account_final")
    let another = try await harness.accounts.issueCode(account: code.account)
    XCTAssertNil(another)
  }

  func testDoesNotEvaluateTheSixthRefusedClaimWithinAQuarterOfAnHour() async throws {
    let harness = try ProviderHarness()
    let wallet = try await TestWallet.confirmed(harness)
    for _ in 1...5 {
      let answer = try refusal(try await wallet.claim(secret: guess()))
      XCTAssertEqual(answer, CodeRefusal(.invalid))
      harness.clock.advance(minute)
    }
    let good = try await harness.accounts.create(try TestPerson.person())
    let limited = try refusal(try await wallet.claim(good))
    XCTAssertEqual(limited.reason, .rateLimited)
    XCTAssertEqual(limited.retryAfterMilliseconds, 10 * 60_000)
    XCTAssertEqual(limited.reference?.count, 8)
    // Another wallet is not limited by it.
    let other = try await TestWallet.confirmed(harness)
    let session = try await other.claimed(good)
    _ = try await other.release(session.id)
    // A claim that was not evaluated does not extend the wait.
    harness.clock.advance(10 * minute)
    _ = try await wallet.claimed(good)
  }

  func testDeletingAWalletReleasesItsClaim() async throws {
    let harness = try ProviderHarness()
    let first = try await TestWallet.confirmed(harness)
    let code = try await harness.accounts.create(try TestPerson.person())
    let session = try await first.claimed(code)
    _ = try await first.delete()
    let gone = try await harness.session(session.id)
    XCTAssertNil(gone)
    _ = try await TestWallet.confirmed(harness).claimed(code)
  }

  func testSessionExpires() async throws {
    let harness = try ProviderHarness()
    let wallet = try await TestWallet.confirmed(harness)
    let session = try await wallet.newSession()
    harness.clock.advance(60 * minute)
    let status = try await wallet.status(session.id)
    XCTAssertEqual(status, ProofingStatus(.lapsed))
    let late = try await wallet.submit(try TestPerson.claims(), session.id)
    XCTAssertEqual(late, ProofingStatus(.lapsed))
    let stored = try await harness.session(session.id)
    XCTAssertNil(stored)
  }

  func testCodeOfAnExpiredSessionIsExpiredAndNotClaimed() async throws {
    let harness = try ProviderHarness()
    let wallet = try await TestWallet.confirmed(harness)
    let page = try await harness.accounts.createPage(try TestPerson.person())
    let shown = try await harness.accounts.page(page)
    let code = try XCTUnwrap(shown?.code)
    _ = try await wallet.claimed(code)
    harness.clock.advance(60 * minute)
    let expired = try await harness.accounts.page(page)
    XCTAssertEqual(expired?.state, .expired)
    let answer = try refusal(try await wallet.claim(code))
    XCTAssertEqual(answer, CodeRefusal(.invalid))
  }

  func testEveryInvalidCodeCountsAlikeTowardsTheLimit() async throws {
    let harness = try ProviderHarness()
    let expired = try await harness.accounts.create(try TestPerson.person())
    let lapsed = try await harness.accounts.create(try TestPerson.person())
    _ = try await TestWallet.confirmed(harness).claimed(lapsed)
    harness.clock.advance(60 * minute)
    let replaced = try await harness.accounts.create(try TestPerson.person())
    _ = try await harness.accounts.issueCode(account: replaced.account)
    let used = try await harness.accounts.create(try TestPerson.person())
    let owner = try await TestWallet.confirmed(harness)
    _ = try await owner.submit(try TestPerson.claims(), try await owner.claimed(used).id)
    for secret in [
      guess(), expired.secret, lapsed.secret, replaced.secret, used.secret,
    ] {
      let wallet = try await TestWallet.confirmed(harness)
      for _ in 1...5 {
        let answer = try refusal(try await wallet.claim(secret: secret))
        XCTAssertEqual(answer, CodeRefusal(.invalid))
      }
      let limited = try refusal(try await wallet.claim(secret: secret))
      XCTAssertEqual(limited.reason, .rateLimited)
    }
  }

  func testRefusesASealedClaimInAnotherInstruction() async throws {
    let harness = try ProviderHarness()
    let (owner, thief) = (
      try await TestWallet.confirmed(harness), try await TestWallet.confirmed(harness)
    )
    let code = try await harness.accounts.create(try TestPerson.person())
    let theirs = try await owner.challenge(for: .claimEnrolmentCode)
    for wallet in [owner, thief] {
      let challenge = try await wallet.challenge(for: .claimEnrolmentCode)
      let lifted = owner.claimPayload(code.secret, challenge: theirs)
      let kind = await problem {
        try await wallet.send(
          wallet.prepareSealed(.claimEnrolmentCode, lifted, challenge: challenge))
      }
      XCTAssertEqual(kind, .instructionRefused)
      let renamed = owner.claimPayload(code.secret, challenge: challenge)
      guard wallet.id != owner.id else { continue }
      let foreign = await problem {
        try await wallet.send(
          wallet.prepareSealed(.claimEnrolmentCode, renamed, challenge: challenge))
      }
      XCTAssertEqual(foreign, .instructionRefused)
    }
    _ = try await owner.claimed(code)
  }

  func testRefusesUnsealedAndMalformedSecrets() async throws {
    let harness = try ProviderHarness()
    let wallet = try await TestWallet.confirmed(harness)
    let challenge = try await wallet.challenge(for: .claimEnrolmentCode)
    let plain = await problem {
      try await wallet.send(
        wallet.preparePlain(
          .claimEnrolmentCode, wallet.claimPayload(self.guess(), challenge: challenge),
          challenge: challenge))
    }
    XCTAssertEqual(plain, .instructionRefused)
    for bad in ["", "AAAA", "not base64url!", Base64URL.encode([UInt8](repeating: 1, count: 33))] {
      let challenge = try await wallet.challenge(for: .claimEnrolmentCode)
      let payload = ClaimPayload(wallet: wallet.id, challenge: challenge, secret: bad)
      let kind = await problem {
        try await wallet.send(
          wallet.prepareSealed(.claimEnrolmentCode, payload, challenge: challenge))
      }
      XCTAssertEqual(kind, .malformedRequest, bad)
    }
  }
}
