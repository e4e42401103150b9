import Synchronization
import WalletAttempts
import WalletProtocol
@testable import WalletProvider
import XCTest

@testable import WalletProviderServer

/// Limits per wallet, and that a limited request changes nothing.
final class WalletLimitTests: XCTestCase {
  private let clock = TestMonotonicClock()

  /// A provider that allows each wallet `burst` requests and then one in 10 seconds.
  private func limited(_ harness: ProviderHarness, burst: Int64) -> Provider {
    var settings = LimitSettings()
    settings.wallet = RateLimit(perMinute: 6, burst: burst)
    return Provider(
      identity: harness.directory.identity, store: harness.store, evaluator: harness.evaluator,
      settings: harness.settings, observer: harness.observer,
      limiter: RequestLimits(settings, clock: clock).wallets)
  }

  private func refusal(
    _ request: TestWallet.Prepared, _ provider: Provider, _ wallet: TestWallet
  ) async -> ProblemError? {
    do {
      _ = try await wallet.send(request, to: provider)
      return nil
    } catch { return error as? ProblemError }
  }

  func testDoesNotCheckALimitedPinUntilItsRetry() async throws {
    let harness = try ProviderHarness()
    let wallet = try await TestWallet.confirmed(harness)
    // The challenges are those of another provider, which has no limit.
    func guess(_ pin: String) async throws -> TestWallet.Prepared {
      try wallet.preparePin(
        .checkPin, pin: pin, challenge: try await wallet.challenge(for: .checkPin))
    }
    let provider = limited(harness, burst: 1)
    let answered = try await guess("000222")
    let first = try await wallet.send(answered, to: provider)
    XCTAssertEqual(first, .wrong(attemptsLeft: 3, finalRound: false))
    // Sends the same request again until it is refused.
    for _ in 1...100 {
      if await refusal(answered, provider, wallet) != nil { break }
    }
    let second = try await guess("000111")
    let before = try await harness.stored(wallet)

    let refused = await refusal(second, provider, wallet)
    XCTAssertEqual(refused?.problem.kind, .tooManyRequests)
    XCTAssertEqual(refused?.retryAfterSeconds, 5)
    let after = try await harness.stored(wallet)
    XCTAssertEqual(after, before, "sequence number and attempts are as they were")
    XCTAssertEqual(harness.observer.all, [.wrong])

    clock.advance(milliseconds: 5_000)
    let outcome = try await wallet.send(second, to: provider)
    XCTAssertEqual(outcome, .wrong(attemptsLeft: 2, finalRound: false))
    XCTAssertEqual(harness.observer.all, [.wrong, .wrong])
  }

  func testEvaluatesNothingForALimitedChallenge() async throws {
    let harness = try ProviderHarness()
    let wallet = try await TestWallet.confirmed(harness)
    let provider = limited(harness, burst: 1)
    _ = try await wallet.challenge(for: .checkPin, at: provider)
    let before = try await harness.stored(wallet)
    for _ in 1...5 {
      let refused = await refusal(try wallet.prepareChallenge(.checkPin), provider, wallet)
      XCTAssertEqual(refused?.problem.kind, .tooManyRequests)
    }
    let after = try await harness.stored(wallet)
    XCTAssertEqual(after, before)
    clock.advance(milliseconds: 10_000)
    let outcome = try await wallet.check("000111", at: provider)
    XCTAssertEqual(outcome, .wrong(attemptsLeft: 2, finalRound: false), "the evaluator agrees")
  }

  func testStillServesAWalletThatNeverWaits() async throws {
    let harness = try ProviderHarness()
    let wallet = try await TestWallet.confirmed(harness)
    let provider = limited(harness, burst: 1)
    var valid = 0
    // Ten tries for each allowed one; every try begins with a challenge.
    for _ in 1...100 {
      clock.advance(milliseconds: 1000)
      let request = try wallet.prepareChallenge(.checkPin)
      guard let outcome = try? await wallet.send(request, to: provider),
        let challenge = try? wallet.challenge(in: outcome, of: request)
      else { continue }
      let check = try wallet.preparePin(.checkPin, pin: "123654", challenge: challenge)
      if case .valid = try? await wallet.send(check, to: provider) { valid += 1 }
    }
    XCTAssertGreaterThanOrEqual(valid, 9)
  }

  /// An attempt is counted with its challenge, so a refused answer would cost an attempt.
  func testRefusesNoAnswerToAnAttemptThatItCountedHoweverSlowTheWalletIs() async throws {
    for burst in [1, 2, 3] as [Int64] {
      let harness = try ProviderHarness()
      let wallet = try await TestWallet.confirmed(harness)
      let provider = limited(harness, burst: burst)
      // A late answer comes with those to the next challenges.
      let late = AttemptState.answerLife
      for delay in [late, 0, 0, 0, 1, 700, late, 0, 0, 9_990, 0, 10_010, 0, 0, 60_000, 5_000, 0] {
        let challenge = try await persistentChallenge(wallet, provider)
        clock.advance(milliseconds: delay)
        let request = try wallet.preparePin(.checkPin, pin: "123654", challenge: challenge)
        // A wallet sends a request once more if it has got no answer.
        for _ in 1...2 {
          let refused = await refusal(request, provider, wallet)
          XCTAssertNil(refused, "burst \(burst), an answer after \(delay) ms")
        }
      }
      let stored = try await harness.stored(wallet)
      XCTAssertEqual(stored?.attempts.wrongAttempts, 0)
    }
  }

  func testTheRoomForAnswersIsExactForTheSmallestAndWithinRangeForTheLargestLimit() {
    func room(_ perMinute: Int64, _ burst: Int64) -> RateLimit {
      RateLimit(perMinute: perMinute, burst: burst).ofAnswers
    }
    XCTAssertEqual(room(1, 1), RateLimit(perMinute: 2, burst: 4))
    XCTAssertEqual(room(0, 7).perMinute, 0, "no limit")
    let most = RateLimit.fastest
    XCTAssertEqual(room(most, most), RateLimit(perMinute: most, burst: most))
    XCTAssertEqual(room(1, most), RateLimit(perMinute: 2, burst: most))
    let buckets = TokenBuckets<String>(room(most, most), capacity: 2, clock: clock)
    XCTAssertNil(buckets.take("a"))
  }

  /// Asks for a challenge ten times a second until the wallet gets one.
  private func persistentChallenge(
    _ wallet: TestWallet, _ provider: Provider
  ) async throws -> String {
    for _ in 1...1000 {
      let request = try wallet.prepareChallenge(.checkPin)
      if let outcome = try? await wallet.send(request, to: provider) {
        return try wallet.challenge(in: outcome, of: request)
      }
      clock.advance(milliseconds: 100)
    }
    throw ProblemError(.tooManyRequests)
  }

  func testRequestsWithoutTheKeyDoNotUseUpAWalletsQuota() async throws {
    let harness = try ProviderHarness()
    let wallet = try await TestWallet.confirmed(harness)
    let provider = limited(harness, burst: 2)
    let stranger = TestWallet(harness)
    stranger.id = wallet.id
    for number in 1...20 {
      let forged = try stranger.prepareChallenge(.checkPin, sequence: UInt64(1000 + number))
      let refused = await refusal(forged, provider, wallet)
      XCTAssertEqual(refused?.problem.kind, .signatureInvalid)
    }
    let own = try wallet.prepareChallenge(.checkPin)
    let refused = await refusal(own, provider, wallet)
    XCTAssertNil(refused)
  }

  func testWalletsHaveSeparateQuotasAndRegistrationsHaveNone() async throws {
    let harness = try ProviderHarness()
    let provider = limited(harness, burst: 1)
    let busy = try await TestWallet.confirmed(harness)
    let other = try await TestWallet.confirmed(harness)
    for (wallet, isServed) in [(busy, true), (busy, false), (other, true)] {
      let request = try wallet.prepareChallenge(.checkPin)
      let refused = await refusal(request, provider, wallet)
      XCTAssertEqual(refused == nil, isServed)
    }
    for _ in 1...3 {
      let fresh = TestWallet(harness)
      let challenge = try await fresh.registrationChallenge(at: provider)
      let request = try fresh.preparePin(.register, pin: "123654", challenge: challenge)
      let refused = await refusal(request, provider, fresh)
      XCTAssertNil(refused)
    }
  }

  func testRemembersAsManyWalletsAsAddressesForEachLimit() {
    var settings = LimitSettings()
    settings.wallet = RateLimit(perMinute: 6, burst: 1)
    settings.entries = 1000
    let wallets = RequestLimits(settings, clock: clock).wallets
    let limited: [InstructionName] = [.challenge, .checkPin, .pinState]
    for number in 1...750 {
      for instruction in limited {
        XCTAssertNil(wallets.count(wallet: "\(number)", for: instruction))
        while wallets.count(wallet: "\(number)", for: instruction) == nil {}
      }
    }
    for instruction in limited {
      XCTAssertNotNil(wallets.pause(wallet: "1", for: instruction), instruction.rawValue)
    }
  }

  func testCountsAVettedRequestOnce() async throws {
    let limiter = CountingLimiter()
    let admission = try WalletAdmission(
      limiter,
      InstructionClaims(
        audience: "p", wallet: "a", instruction: .submitEvidence, payloadHash: "", challenge: nil,
        sequence: 1))
    for _ in 1...8 { try admission.count(wallet: "a") }
    XCTAssertEqual(limiter.counted.load(ordering: .relaxed), 1)
  }
}

private final class CountingLimiter: WalletLimiter {
  let counted = Atomic(0)

  func pause(wallet: String, for _: InstructionName) -> Int64? { nil }

  func count(wallet: String, for _: InstructionName) -> Int64? {
    counted.add(1, ordering: .relaxed)
    return nil
  }
}
