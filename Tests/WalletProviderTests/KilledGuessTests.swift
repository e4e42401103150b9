import Foundation
import WalletAttempts
import WalletProtocol
import WalletProvider
import XCTest

/// A server that is killed around the commit of an evaluation or of its answer: the guess counts once,
/// however often the same bytes are sent, and no guess is free.
class KilledGuessTests: KilledServerTestCase {
  private let wrong = "271828"

  /// A wallet with `counted` wrong PINs.
  private func wallet(after counted: Int) async throws -> (ProviderHarness, TestWallet) {
    var settings = ProviderSettings()
    // The same bytes are sent to three servers.
    settings.challengeLife = 3_600_000
    let harness = try ProviderHarness(
      settings: settings, clock: TestClock(SystemWallClock().now))
    let wallet = try await TestWallet.confirmed(harness)
    let id = wallet.id
    try await harness.store.transaction { rows in
      guard var stored = try rows.wallet(id: id) else { throw StoreFailure("gone") }
      stored.attempts.wrongAttempts = counted
      try rows.update(stored)
    }
    return (harness, wallet)
  }

  /// Asks for an evaluation at a server that is killed at its commit, and at two others.
  private func assertEvaluationCountsOnce(
    _ point: CommitFault, after counted: Int, line: UInt = #line
  ) async throws {
    let (harness, wallet) = try await wallet(after: counted)
    let asked = try wallet.prepareChallenge(.checkPin)
    let before = try await harness.stored(wallet)
    let first = try await sendTwice(asked, harness, dying: point.rawValue) {
      let stored = try await harness.stored(wallet)
      if point == .after {
        XCTAssertEqual(stored?.attempts.wrongAttempts, counted + 1, line: line)
      } else {
        XCTAssertEqual(stored, before, line: line)
      }
    }
    let challenge = try wallet.challenge(in: first, of: asked)
    let once = try await harness.stored(wallet)
    XCTAssertEqual(once?.attempts.wrongAttempts, counted + 1, line: line)
    let again = try send(asked, to: try server(harness), harness)
    XCTAssertEqual(again, first, line: line)
    let last = try await harness.stored(wallet)
    XCTAssertEqual(last, once, line: line)
    // What was answered is good for one guess.
    let outcome = try await wallet.send(
      wallet.preparePin(.checkPin, pin: wrong, challenge: challenge))
    XCTAssertEqual(
      outcome,
      counted == 15
        ? .blockedPermanently(counted: true) : .wrong(attemptsLeft: 3, finalRound: false),
      line: line)
  }

  func testAProviderKilledAtTheCommitOfAnEvaluationCountsItOnce() async throws {
    for point in CommitFault.allCases {
      for counted in [0, 15] { try await assertEvaluationCountsOnce(point, after: counted) }
    }
  }

  /// - Parameter counted: the wrong PINs that the wallet already has.
  private func assertCountsOnce(
    _ point: CommitFault, after counted: Int, expected: InstructionOutcome,
    line: UInt = #line, guess: (TestWallet) async throws -> TestWallet.Prepared
  ) async throws {
    let (harness, wallet) = try await wallet(after: counted)
    let request = try await guess(wallet)
    let before = try await harness.stored(wallet)
    XCTAssertEqual(before?.attempts.wrongAttempts, counted + 1, "by the evaluation", line: line)
    let first = try await sendTwice(request, harness, dying: point.rawValue) {
      let stored = try await harness.stored(wallet)
      let isDone = point == .after
      XCTAssertEqual(stored?.attempts.wrongAttempts, counted + 1, line: line)
      XCTAssertEqual(stored?.attempts.failures, isDone ? 1 : 0, line: line)
      if !isDone { XCTAssertEqual(stored, before, line: line) }
    }
    XCTAssertEqual(first, expected, line: line)
    let once = try await harness.stored(wallet)
    XCTAssertEqual(once?.attempts.wrongAttempts, counted + 1, line: line)
    XCTAssertEqual(once?.attempts.failures, 1, line: line)
    // And a third time.
    let again = try send(request, to: try server(harness), harness)
    XCTAssertEqual(again, expected, line: line)
    let last = try await harness.stored(wallet)
    XCTAssertEqual(last, once, line: line)
    XCTAssertNil(last?.pending, line: line)
  }

  func testAProviderKilledAtTheCommitOfAGuessCountsItOnce() async throws {
    for point in CommitFault.allCases {
      try await assertCountsOnce(
        point, after: 0, expected: .wrong(attemptsLeft: 3, finalRound: false)
      ) { [wrong] in
        try $0.preparePin(.checkPin, pin: wrong, challenge: try await $0.challenge(for: .checkPin))
      }
    }
  }

  func testAProviderKilledAtTheCommitOfTheSixteenthGuessBlocksForGood() async throws {
    for point in CommitFault.allCases {
      try await assertCountsOnce(
        point, after: 15, expected: .blockedPermanently(counted: true)
      ) { [wrong] in
        try $0.preparePin(.checkPin, pin: wrong, challenge: try await $0.challenge(for: .checkPin))
      }
    }
  }

  func testAProviderKilledAtTheCommitOfAPinChangeWithAWrongPinCountsItOnce() async throws {
    for (counted, expected) in [
      (0, InstructionOutcome.wrong(attemptsLeft: 3, finalRound: false)),
      (15, .blockedPermanently(counted: true)),
    ] {
      for point in CommitFault.allCases {
        try await assertCountsOnce(point, after: counted, expected: expected) { [wrong] in
          try $0.prepareBeginning(
            from: wrong, to: "424243", change: TestWallet.newChange(),
            challenge: try await $0.challenge(for: .beginPinChange))
        }
      }
    }
  }

  /// The evaluator has begun the count anew before the provider commits.
  func testAProviderKilledAtTheCommitOfARightPinAnswersItAfterwards() async throws {
    for point in CommitFault.allCases {
      let (harness, wallet) = try await wallet(after: 15)
      let change = TestWallet.newChange()
      let request = try wallet.prepareBeginning(
        from: "123654", to: "424243", change: change,
        challenge: try await wallet.challenge(for: .beginPinChange))
      let outcome = try await sendTwice(request, harness, dying: point.rawValue) {}
      guard case .valid = outcome else { return XCTFail("\(outcome)") }
      wallet.remember(outcome, of: request)
      let again = try send(request, to: try server(harness), harness)
      XCTAssertEqual(again, outcome)
      let prepared = try await wallet.send(
        wallet.prepareChange(
          from: "123654", to: "424243", change: change,
          challenge: try await wallet.challenge(for: .preparePinChange)))
      guard case .valid = prepared else { return XCTFail("\(prepared)") }
      let share = try await wallet.checkRight(pin: "424243")
      XCTAssertEqual(share, wallet.share)
    }
  }
}
