import Foundation
import WalletProtocol
import WalletProvider
import XCTest

/// A server that is killed around the commit of a guess: the guess counts once, however often the
/// same bytes are sent, and no guess is free.
class KilledGuessTests: KilledServerTestCase {
  private let wrong = "271828"

  /// - Parameter counted: the wrong PINs that the wallet already has.
  private func assertCountsOnce(
    _ point: CommitFault, after counted: Int, expected: InstructionOutcome,
    line: UInt = #line, guess: (TestWallet) async throws -> TestWallet.Prepared
  ) async throws {
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
    let request = try await guess(wallet)
    let before = try await harness.stored(wallet)
    let first = try await sendTwice(request, harness, dying: point.rawValue) {
      let stored = try await harness.stored(wallet)
      let isDone = point == .after
      XCTAssertEqual(stored?.attempts.wrongAttempts, counted + (isDone ? 1 : 0), line: line)
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
          try $0.prepareChange(
            from: wrong, to: "424243", change: TestWallet.newChange(),
            challenge: try await $0.challenge(for: .preparePinChange))
        }
      }
    }
  }
}
