import ServerTestSupport
import WalletAttempts
import WalletProtocol
import XCTest

@testable import WalletEvaluator

/// Proofs of the right PIN, rounds, blocks and the limit of 30 days.
final class AttemptTests: EvaluatorTestCase {
  func testAProofBeginsTheCountAnewAndIsAcceptedOnce() async throws {
    let evaluator = try evaluator()
    let wallet = TestWallet()
    let key = try await evaluator.adopted(wallet)
    _ = try await evaluator.attempt(wallet, key)
    let made = try await evaluator.begun(wallet, key)
    let message = try wallet.message(evaluation: made.half.evaluation, blinded: made.blinded)
    let proof = EvaluatorRequest.prove(key: key, message: message)
    let first = try await evaluator.answer(proof)
    XCTAssertEqual(
      first,
      .proven(
        standing: AttemptStanding(
          attempts: 0, blockedMilliseconds: nil, isBlockedPermanently: false), next: nil))
    let again = try await evaluator.answer(proof)
    XCTAssertEqual(again, first)
    let second = try await evaluator.proven(wallet, made, newBlinded: try TestWallet.blinded())
    XCTAssertEqual(second, .refused)
    _ = try await evaluator.attempt(wallet, key)
    let old = try await evaluator.answer(proof)
    XCTAssertEqual(old, .refused)
    let count = try await evaluator.countNow(wallet, key)
    XCTAssertEqual(count, 1)
  }

  func testOnlyTheNewestEvaluationIsProven() async throws {
    let evaluator = try evaluator()
    let wallet = TestWallet()
    let key = try await evaluator.adopted(wallet)
    let older = try await evaluator.begun(wallet, key)
    let newest = try await evaluator.begun(wallet, key)
    let late = try await evaluator.proven(wallet, older)
    XCTAssertEqual(late, .refused)
    let messages = [
      try wallet.message(evaluation: newest.half.evaluation, blinded: older.blinded),
      try wallet.message(
        evaluation: newest.half.evaluation, blinded: newest.blinded, signer: TestPinKey()),
      try wallet.message(
        evaluation: newest.half.evaluation, blinded: newest.blinded,
        hardwareKey: TestHardwareKey.makeP256().der),
      try wallet.message(
        evaluation: newest.half.evaluation, blinded: newest.blinded, newBlinded: "AAAA"),
      try wallet.message(
        evaluation: newest.half.evaluation, blinded: newest.blinded, type: .newPinKeyProof),
      "",
    ]
    for message in messages {
      let answer = try await evaluator.answer(.prove(key: key, message: message))
      XCTAssertEqual(answer, .refused)
    }
    let unknown = try await evaluator.answer(.prove(key: "unknown", message: messages[0]))
    XCTAssertEqual(unknown, .unknownKey)
    let right = try await evaluator.proven(wallet, newest)
    XCTAssertEqual(try right.standing.attempts, 0)
  }

  func testAProofIsAcceptedForTwoMinutes() async throws {
    let evaluator = try evaluator()
    let wallet = TestWallet()
    let key = try await evaluator.adopted(wallet)
    let first = try await evaluator.begun(wallet, key)
    clock.advance(AttemptState.answerLife)
    let inTime = try await evaluator.proven(wallet, first)
    XCTAssertEqual(try inTime.standing.attempts, 0)
    let second = try await evaluator.begun(wallet, key)
    clock.advance(AttemptState.answerLife + 1)
    let tooLate = try await evaluator.proven(wallet, second)
    XCTAssertEqual(tooLate, .refused)
    let count = try await evaluator.countNow(wallet, key)
    XCTAssertEqual(count, 1)
  }

  func testTheProofLiftsTheBlockThatItsOwnAttemptBegan() async throws {
    let evaluator = try evaluator()
    let wallet = TestWallet()
    let key = try await evaluator.adopted(wallet)
    for _ in 1...3 { _ = try await evaluator.attempt(wallet, key) }
    let blinded = try TestWallet.blinded()
    let request = try wallet.challenge(for: .checkPin, key: key, blinded: blinded)
    let fourth = try await evaluator.answer(.evaluate(request: request))
    XCTAssertEqual(try fourth.standing.blockedMilliseconds, 60_000)
    let blocked = try await evaluator.attempt(wallet, key)
    XCTAssertEqual(
      blocked,
      .blocked(
        standing: AttemptStanding(
          attempts: 4, blockedMilliseconds: 60_000, isBlockedPermanently: false)))
    let made = TestWallet.Made(blinded: blinded, half: try fourth.evaluation)
    let right = try await evaluator.proven(wallet, made)
    XCTAssertNil(try right.standing.blockedMilliseconds)
    let next = try await evaluator.attempt(wallet, key)
    XCTAssertEqual(try next.standing.attempts, 1)
  }

  func testRoundsAndBlocksAreThoseOfThePolicy() async throws {
    let wallet = TestWallet()
    let key = try await evaluator().adopted(wallet)
    for block in [60_000, 300_000, 3_600_000] as [Int64] {
      // A new process counts on.
      let evaluator = try evaluator()
      for attempt in 1...4 {
        let answer = try await evaluator.attempt(wallet, key)
        let standing = try answer.standing
        XCTAssertEqual(standing.blockedMilliseconds, attempt == 4 ? UInt64(block) : nil)
        XCTAssertFalse(standing.isBlockedPermanently)
      }
      clock.advance(block - 1)
      let blocked = try await evaluator.attempt(wallet, key)
      XCTAssertEqual(try blocked.standing.blockedMilliseconds, 1)
      guard case .blocked = blocked else { return XCTFail("\(blocked)") }
      clock.advance(1)
    }
    let evaluator = try evaluator()
    for _ in 1...3 {
      let answer = try await evaluator.attempt(wallet, key)
      XCTAssertFalse(try answer.standing.isBlockedPermanently)
    }
    let last = try await evaluator.begun(wallet, key)
    clock.advance(1000)
    let blocked = try await evaluator.attempt(wallet, key)
    XCTAssertEqual(
      blocked,
      .blocked(
        standing: AttemptStanding(
          attempts: 16, blockedMilliseconds: nil, isBlockedPermanently: true)))
    // The right PIN at the last attempt is right.
    let right = try await evaluator.proven(wallet, last)
    XCTAssertFalse(try right.standing.isBlockedPermanently)
    let next = try await evaluator.attempt(wallet, key)
    XCTAssertEqual(try next.standing.attempts, 1)
  }

  func testTheLastAttemptWithoutItsProofBlocksForGood() async throws {
    let policy = try AttemptPolicy(rounds: 1, attemptsPerRound: 2, blockDurations: [])
    let evaluator = try evaluator(policy: policy)
    let wallet = TestWallet()
    let key = try await evaluator.adopted(wallet)
    _ = try await evaluator.attempt(wallet, key)
    let last = try await evaluator.begun(wallet, key)
    clock.advance(AttemptState.answerLife + 1)
    let late = try await evaluator.proven(wallet, last)
    XCTAssertEqual(late, .refused)
    clock.advance(366 * 24 * 3_600_000)
    let blocked = try await evaluator.attempt(wallet, key)
    XCTAssertTrue(try blocked.standing.isBlockedPermanently)
  }

  func testWrongPinsOfThirtyDaysBlockDespiteRightOnes() async throws {
    let policy = try AttemptPolicy(
      rounds: 1, attemptsPerRound: 4, blockDurations: [], failuresPerMonth: 6)
    let evaluator = try evaluator(policy: policy)
    let wallet = TestWallet()
    let key = try await evaluator.adopted(wallet)
    for _ in 1...5 {
      _ = try await evaluator.attempt(wallet, key)
      let right = try await evaluator.begun(wallet, key)
      let proven = try await evaluator.proven(wallet, right)
      XCTAssertEqual(try proven.standing.attempts, 0)
    }
    let sixth = try await evaluator.attempt(wallet, key)
    XCTAssertTrue(try sixth.standing.isBlockedPermanently)
    let blocked = try await evaluator.attempt(wallet, key)
    guard case .blocked = blocked else { return XCTFail("\(blocked)") }
  }

  func testWrongPinsOfEarlierDaysDoNotCount() async throws {
    let policy = try AttemptPolicy(
      rounds: 1, attemptsPerRound: 4, blockDurations: [], failuresPerMonth: 2)
    let evaluator = try evaluator(policy: policy)
    let wallet = TestWallet()
    let key = try await evaluator.adopted(wallet)
    for _ in 1...3 {
      _ = try await evaluator.attempt(wallet, key)
      let right = try await evaluator.begun(wallet, key)
      let proven = try await evaluator.proven(wallet, right)
      XCTAssertFalse(try proven.standing.isBlockedPermanently)
      clock.advance(32 * 24 * 3_600_000)
    }
  }
}
