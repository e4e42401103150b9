import TestSupport
import WalletAttempts
import WalletProtocol
@testable import WalletProvider
import XCTest

/// The limit of wrong PINs in 30 days, and what the owner is told of them.
class FailureLimitTests: StoreTestCase {
  private static let day: Int64 = 24 * 3_600_000
  private let wrong = "654123"

  private func harness(limit: Int) throws -> ProviderHarness {
    var settings = ProviderSettings()
    settings.attemptPolicy = try AttemptPolicy(
      rounds: 4, attemptsPerRound: 4, blockDurations: [1, 1, 1], failuresPerMonth: limit)
    return try ProviderHarness(settings: settings)
  }

  private func told(_ wallet: TestWallet) async throws -> FailedAttempts? {
    let outcome = try await wallet.check("123654")
    guard case .valid(_, let failures, _) = outcome else {
      throw UnexpectedOutcome(outcome: outcome)
    }
    return failures
  }

  func testRightPinsInBetweenGiveNoMoreThanTheLimitIn30Days() async throws {
    let wallet = try await TestWallet.confirmed(try harness(limit: 7))
    for _ in 1...2 {
      for _ in 1...3 { _ = try await wallet.check(wrong) }
      _ = try await told(wallet)
      wallet.harness.clock.advance(Self.day)
    }
    // One is left, and the answer to `pin_state` says so.
    let challenge = try await wallet.challenge(for: .pinState)
    let state = try await wallet.send(
      wallet.preparePlain(.pinState, EmptyPayload(), challenge: challenge))
    XCTAssertEqual(state, .notBlocked(attemptsLeft: 1, finalRound: true))
    let last = try await wallet.check(wrong)
    XCTAssertEqual(last, .blockedPermanently(counted: true))
    wallet.harness.clock.advance(400 * Self.day)
    let afterwards = try await wallet.check("123654")
    XCTAssertEqual(afterwards, .blockedPermanently(counted: false))
  }

  func testFailuresOfLongAgoNoLongerCount() async throws {
    let wallet = try await TestWallet.confirmed(try harness(limit: 4))
    for _ in 1...3 { _ = try await wallet.check(wrong) }
    _ = try await told(wallet)
    wallet.harness.clock.advance(31 * Self.day)
    for left in [3, 2, 1] as [UInt32] {
      let outcome = try await wallet.check(wrong)
      XCTAssertEqual(outcome, .wrong(attemptsLeft: left, finalRound: true))
    }
  }

  func testARightPinIsToldOfAllWrongOnesAndOfTheLastTime() async throws {
    let wallet = try await TestWallet.confirmed(try ProviderHarness())
    let never = try await told(wallet)
    XCTAssertNil(never)
    for _ in 1...3 { _ = try await wallet.check(wrong) }
    let time = wallet.harness.clock.now / 1000
    wallet.harness.clock.advance(3_600_000)
    // The count does not fall, so that none is lost with an answer, nor by the operator.
    for _ in 1...2 {
      let failures = try await told(wallet)
      XCTAssertEqual(failures, FailedAttempts(count: 3, lastAt: time))
    }
    let isKnown = try await WalletAdministration(store: wallet.harness.store).unblock(wallet.id)
    XCTAssertTrue(isKnown)
    _ = try await wallet.check(wrong)
    let failures = try await told(wallet)
    XCTAssertEqual(failures, FailedAttempts(count: 4, lastAt: time + 3600))
  }

  func testTheStateOfThePinIsToldOfTheSameAndWithAnyOutcome() async throws {
    let wallet = try await TestWallet.confirmed(try ProviderHarness())
    func told() async throws -> FailedAttempts? {
      let prepared = try wallet.preparePlain(
        .pinState, EmptyPayload(), challenge: try await wallet.challenge(for: .pinState))
      let answer = try await wallet.harness.provider.answer(
        prepared.instruction, body: prepared.body)
      return try SignedMessage(parsing: answer.result).unverifiedContent(
        InstructionResultClaims.self
      ).failures
    }
    let never = try await told()
    XCTAssertNil(never)
    // Attempts, blocks, and in the end the block for good.
    for count in 1...16 as ClosedRange<UInt64> {
      _ = try await wallet.check(wrong)
      let (failures, time) = (try await told(), wallet.harness.clock.now / 1000)
      XCTAssertEqual(failures, FailedAttempts(count: count, lastAt: time))
      if count % 4 == 0 { wallet.harness.clock.advance(3_600_000) }
    }
  }

  /// Someone who guesses whenever the limit allows it.
  func testNoThirtyDaysEverHaveMoreThanTheLimit() {
    var generator = SeededGenerator(seed: 20)
    var recent = RecentFailures()
    var now: Int64 = 1_700_000_000_000
    var times: [Int64] = []
    for _ in 1...3000 {
      now += Int64.random(in: 1...Self.day / 2, using: &generator)
      while recent.count(now: now) < 50 {
        recent.add(now: now)
        times.append(now)
        if .random(in: 0..<3, using: &generator) > 0 { break }
      }
      XCTAssertEqual(RecentFailures(recent.text ?? ""), recent)
      XCTAssertLessThanOrEqual(recent.text?.utf8.count ?? 0, 31 * 9)
    }
    XCTAssertGreaterThan(times.count, 1000)
    for (index, first) in times.enumerated() where index + 50 < times.count {
      XCTAssertGreaterThan(times[index + 50] - first, 30 * Self.day)
    }
  }

  func testFailuresOfALaterDayCountFromTodayOnAndEnd() {
    var recent = RecentFailures()
    for _ in 1...3 { recent.add(now: 100 * Self.day) }
    XCTAssertEqual(recent.count(now: 0), 3)
    recent.add(now: 10 * Self.day)
    XCTAssertEqual(recent.count(now: 40 * Self.day), 4)
    XCTAssertEqual(recent.count(now: 41 * Self.day), 0)
    XCTAssertEqual(recent.text, "10:4")
  }

  func testReadsNoOtherText() {
    for text in [
      "", " ", "1", "1:", ":1", "1:0", "1:-1", "1:1 ", "1:1  2:1", "1:1 1:1", "1:1:1", "x:1",
      "1:99999999999", (1...32).map { "\($0):1" }.joined(separator: " "),
    ] {
      XCTAssertNil(RecentFailures(text), text)
    }
  }
}
