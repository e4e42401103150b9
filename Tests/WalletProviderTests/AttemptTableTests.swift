import ServerTestSupport
import WalletAttempts
import WalletProtocol
@testable import WalletProvider
import XCTest

/// The complete table of attempts, with real keys, a real database and a controlled clock.
class AttemptTableTests: StoreTestCase {
  private let wrong = "654123"

  /// The answer to the n-th wrong PIN, n from 1.
  private func expected(_ attempt: Int) -> InstructionOutcome {
    switch attempt {
    case 4: .blocked(milliseconds: 60_000, counted: true)
    case 8: .blocked(milliseconds: 300_000, counted: true)
    case 12: .blocked(milliseconds: 3_600_000, counted: true)
    case 16: .blockedPermanently(counted: true)
    default: .wrong(attemptsLeft: UInt32(4 - attempt % 4), finalRound: attempt > 12)
    }
  }

  private func guessWrong(_ wallet: TestWallet, _ attempts: ClosedRange<Int>) async throws {
    for attempt in attempts {
      let outcome = try await wallet.check(wrong)
      XCTAssertEqual(outcome, expected(attempt), "attempt \(attempt)")
      if case .blocked(let milliseconds, _) = outcome {
        wallet.harness.clock.advance(Int64(milliseconds))
      }
    }
  }

  func testSixteenWrongPinsFollowTheTableAndBlockTheRightOneToo() async throws {
    let wallet = try await TestWallet.confirmed(try ProviderHarness(), hardware: .makeP256())
    try await guessWrong(wallet, 1...16)
    let afterwards = try await wallet.check("123654")
    XCTAssertEqual(afterwards, .blockedPermanently(counted: false))
    wallet.harness.clock.advance(ProviderSettings.longestDuration)
    let muchLater = try await wallet.check("123654")
    XCTAssertEqual(muchLater, .blockedPermanently(counted: false))
    XCTAssertEqual(wallet.harness.observer.all.count, 16)
  }

  func testTheRightPinOnTheSixteenthAttemptSucceedsAndResetsTheCount() async throws {
    let wallet = try await TestWallet.confirmed(try ProviderHarness())
    try await guessWrong(wallet, 1...15)
    let share = try await wallet.checkRight()
    XCTAssertEqual(share, wallet.share)
    try await guessWrong(wallet, 1...5)
  }

  func testNeitherChecksNorCountsPinsDuringABlock() async throws {
    let wallet = try await TestWallet.confirmed(try ProviderHarness())
    for attempt in 1...4 {
      let outcome = try await wallet.check(wrong)
      XCTAssertEqual(outcome, expected(attempt))
    }
    wallet.harness.clock.advance(1)
    let right = try await wallet.check("123654")
    XCTAssertEqual(right, .blocked(milliseconds: 59_999, counted: false))
    wallet.harness.clock.advance(59_998)
    let stillWrong = try await wallet.check(wrong)
    XCTAssertEqual(stillWrong, .blocked(milliseconds: 1, counted: false))
    XCTAssertEqual(wallet.harness.observer.all.count, 4)
    // When now == end, an attempt is allowed, and it is the fifth.
    wallet.harness.clock.advance(1)
    let fifth = try await wallet.check(wrong)
    XCTAssertEqual(fifth, expected(5))
  }

  private func state(_ wallet: TestWallet) async throws -> InstructionOutcome {
    try await wallet.send(
      wallet.preparePlain(
        .pinState, EmptyPayload(), challenge: try await wallet.challenge(for: .pinState)))
  }

  func testTheStateOfThePinSaysWhatTheNextAttemptMeetsAndCountsNothing() async throws {
    let wallet = try await TestWallet.confirmed(try ProviderHarness())
    for attempt in 1...16 {
      let left = UInt32(4 - (attempt - 1) % 4)
      for _ in 1...2 {
        let state = try await state(wallet)
        XCTAssertEqual(
          state, .notBlocked(attemptsLeft: left, finalRound: attempt > 12), "before \(attempt)")
      }
      let outcome = try await wallet.check(wrong)
      XCTAssertEqual(outcome, expected(attempt), "attempt \(attempt)")
      guard case .blocked(let milliseconds, _) = outcome else { continue }
      wallet.harness.clock.advance(Int64(milliseconds) - 1)
      let blocked = try await state(wallet)
      XCTAssertEqual(blocked, .blocked(milliseconds: 1, counted: false))
      wallet.harness.clock.advance(1)
    }
    let forGood = try await state(wallet)
    XCTAssertEqual(forGood, .blockedPermanently(counted: false))
    XCTAssertEqual(wallet.harness.observer.all.count, 16)
  }

  func testTheStateOfThePinUnderAStricterPolicyIsThatOfTheLastAttempt() async throws {
    var state = AttemptState(wrongAttempts: 7)
    let policy = try AttemptPolicy(rounds: 1, attemptsPerRound: 3, blockDurations: [])
    XCTAssertEqual(
      state.state(policy: policy, now: 0), .notBlocked(attemptsLeft: 1, finalRound: true))
    XCTAssertNil(state.begin(policy: policy, now: 0))
    XCTAssertEqual(
      state.endWithWrongPin(policy: policy, now: 0), .blockedPermanently(counted: true))
  }

  func testOnlyTheWalletsOwnKeyMayAskForTheStateOfThePin() async throws {
    let harness = try ProviderHarness()
    let wallet = try await TestWallet.confirmed(harness)
    let stranger = try await TestWallet.confirmed(harness)
    let challenge = try await wallet.challenge(for: .pinState)
    stranger.id = wallet.id
    let request = try stranger.preparePlain(.pinState, EmptyPayload(), challenge: challenge)
    do {
      let outcome = try await stranger.send(request)
      XCTFail("\(outcome)")
    } catch let error as ProblemError {
      XCTAssertEqual(error.problem.kind, .signatureInvalid)
    }
  }

  func testARightPinAtTheVeryEndOfABlockSucceeds() async throws {
    let wallet = try await TestWallet.confirmed(try ProviderHarness())
    for _ in 1...4 { _ = try await wallet.check(wrong) }
    wallet.harness.clock.advance(60_000)
    let share = try await wallet.checkRight()
    XCTAssertEqual(share, wallet.share)
  }

  func testSettingTheClockBackNeverShortensABlock() async throws {
    let wallet = try await TestWallet.confirmed(try ProviderHarness())
    for _ in 1...4 { _ = try await wallet.check(wrong) }
    wallet.harness.clock.advance(-1_000_000)
    let restarted = try await wallet.check("123654")
    XCTAssertEqual(restarted, .blocked(milliseconds: 60_000, counted: false))
    wallet.harness.clock.advance(59_999)
    let almost = try await wallet.check("123654")
    XCTAssertEqual(almost, .blocked(milliseconds: 1, counted: false))
    wallet.harness.clock.advance(1)
    // Only now the evaluator is asked, and its own block begins anew.
    let evaluators = try await wallet.check("123654")
    XCTAssertEqual(evaluators, .blocked(milliseconds: 60_000, counted: false))
    wallet.harness.clock.advance(60_000)
    let share = try await wallet.checkRight()
    XCTAssertEqual(share, wallet.share)
  }

  func testCorrectingTheClockNeverEndsABlockEarly() async throws {
    let wallet = try await TestWallet.confirmed(try ProviderHarness())
    for _ in 1...4 { _ = try await wallet.check(wrong) }
    wallet.harness.clock.advance(-1_000_000)
    _ = try await wallet.check("123654")
    wallet.harness.clock.advance(30_000)
    let back = try await wallet.check("123654")
    XCTAssertEqual(back, .blocked(milliseconds: 30_000, counted: false))
    wallet.harness.clock.advance(970_001)
    let putRight = try await wallet.check("123654")
    XCTAssertEqual(putRight, .blocked(milliseconds: 59_999, counted: false))
    wallet.harness.clock.advance(59_999)
    let share = try await wallet.checkRight()
    XCTAssertEqual(share, wallet.share)
  }

  func testAttemptsSurviveARestart() async throws {
    let harness = try ProviderHarness()
    let wallet = try await TestWallet.confirmed(harness)
    try await guessWrong(wallet, 1...3)
    let challenge = try await wallet.challenge(for: .checkPin)
    let second = try harness.secondProvider()
    let outcome = try await wallet.send(
      wallet.preparePin(.checkPin, pin: wrong, challenge: challenge), to: second)
    XCTAssertEqual(outcome, expected(4))
    harness.clock.advance(60_000)
    let fifth = try await wallet.check(wrong, at: second)
    XCTAssertEqual(fifth, expected(5))
    try harness.restart()
    let sixth = try await wallet.check(wrong)
    XCTAssertEqual(sixth, expected(6))
  }

  func testAnEvaluationThatIsNeverAnsweredCountsLikeAWrongPin() async throws {
    let wallet = try await TestWallet.confirmed(try ProviderHarness())
    for _ in 1...3 { _ = try await wallet.challenge(for: .checkPin) }
    let fourth = try await wallet.check(wrong)
    XCTAssertEqual(fourth, expected(4))
    wallet.harness.clock.advance(60_000)
    for _ in 1...4 { _ = try await wallet.challenge(for: .beginPinChange) }
    let blocked = try await wallet.send(wallet.prepareChallenge(.decideReplacement))
    XCTAssertEqual(blocked, .blocked(milliseconds: 300_000, counted: false))
    wallet.harness.clock.advance(300_000)
    let outcome = try await wallet.check("123654")
    guard case .valid(_, let failures, _) = outcome else { return XCTFail("\(outcome)") }
    XCTAssertEqual(failures?.count, 8)
    XCTAssertEqual(wallet.harness.observer.all.count, 2, "only answers are judged")
  }

  func testABlockedWalletGetsNoEvaluationAndTheAnswerCountsNothing() async throws {
    let wallet = try await TestWallet.confirmed(try ProviderHarness())
    for _ in 1...4 { _ = try await wallet.check(wrong) }
    let before = try await wallet.harness.stored(wallet)
    for name in InstructionName.allCases where name.isAttempt {
      let outcome = try await wallet.send(wallet.prepareChallenge(name))
      XCTAssertEqual(outcome, .blocked(milliseconds: 60_000, counted: false))
    }
    let after = try await wallet.harness.stored(wallet)
    XCTAssertEqual(after?.attempts, before?.attempts)
    XCTAssertEqual(after?.evaluation, before?.evaluation)
    wallet.harness.clock.advance(60_000)
    let fifth = try await wallet.check(wrong)
    XCTAssertEqual(fifth, expected(5))
  }

  func testARightPinEndsTheBlockThatItsOwnAttemptBegan() async throws {
    for attempts in [3, 7, 11, 15] {
      let wallet = try await TestWallet.confirmed(try ProviderHarness())
      try await guessWrong(wallet, 1...attempts)
      let challenge = try await wallet.challenge(for: .checkPin)
      let next = try await wallet.send(wallet.prepareChallenge(.checkPin))
      switch next {
      case .blocked(_, counted: false), .blockedPermanently(counted: false): break
      default: XCTFail("\(next)")
      }
      let request = try wallet.preparePin(.checkPin, pin: "123654", challenge: challenge)
      guard case .valid = try await wallet.send(request) else { return XCTFail("not valid") }
      try await guessWrong(wallet, 1...1)
    }
  }

  func testAnEvaluationCanBeAnsweredForTwoMinutes() async throws {
    for (delay, isAnswered) in [(119_999 as Int64, true), (120_001, false)] {
      let wallet = try await TestWallet.confirmed(try ProviderHarness())
      let challenge = try await wallet.challenge(for: .checkPin)
      wallet.harness.clock.advance(delay)
      let request = try wallet.preparePin(.checkPin, pin: "123654", challenge: challenge)
      if isAnswered {
        guard case .valid = try await wallet.send(request) else { return XCTFail("not valid") }
      } else {
        let kind = await problem { try await wallet.send(request) }
        XCTAssertEqual(kind, .challengeRefused)
        let second = try await wallet.check(wrong)
        XCTAssertEqual(second, expected(2))
      }
    }
  }

  func testOneRoundOfTwoAttemptsEndsWithTheSecondWrongPin() async throws {
    var settings = ProviderSettings()
    settings.attemptPolicy = try AttemptPolicy(rounds: 1, attemptsPerRound: 2, blockDurations: [])
    let wallet = try await TestWallet.confirmed(try ProviderHarness(settings: settings))
    let first = try await wallet.check(wrong)
    XCTAssertEqual(first, .wrong(attemptsLeft: 1, finalRound: true))
    let second = try await wallet.check(wrong)
    XCTAssertEqual(second, .blockedPermanently(counted: true))
  }
}
