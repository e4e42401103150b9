import ServerTestSupport
import WalletAttempts
import WalletProtocol
import WalletProvider
import WalletProviderSQLite
import XCTest

/// Many parallel guesses through two providers with separate connections to one file.
class ParallelGuessTests: StoreTestCase {
  override class var connections: Int { 8 }

  /// How many requests are sent at once.
  private let guesses = 128

  /// The outcomes, in the order of the requests.
  private func outcomes(
    of requests: [TestWallet.Prepared], at harness: ProviderHarness
  ) async throws -> [InstructionOutcome] {
    let providers = [harness.provider, try harness.secondProvider()]
    return try await withThrowingTaskGroup(of: (Int, InstructionOutcome).self) { group in
      for (number, request) in requests.enumerated() {
        group.addTask {
          let provider = providers[number % providers.count]
          let answer = try await provider.answer(request.instruction, body: request.body)
          return (number, try harness.result(answer, to: request.body, claims: request.claims))
        }
      }
      let all = try await group.reduce(into: []) { $0.append($1) }
      return all.sorted { $0.0 < $1.0 }.map(\.1)
    }
  }

  /// The evaluations in the outcomes of challenges.
  private func evaluations(in outcomes: [InstructionOutcome]) -> Set<String> {
    Set(
      outcomes.compactMap { outcome in
        guard case .challenge(_, _, let evaluation?, _) = outcome else { return nil }
        return evaluation.evaluator.evaluation
      })
  }

  /// How many of the wrong PINs in the requests are judged.
  private func judged(
    _ requests: [TestWallet.Prepared], at harness: ProviderHarness
  ) async throws -> Int {
    let providers = [harness.provider, try harness.secondProvider()]
    return try await withThrowingTaskGroup(of: Bool.self) { group in
      for (number, request) in requests.enumerated() {
        group.addTask {
          do {
            let answer = try await providers[number % providers.count].answer(
              request.instruction, body: request.body)
            let outcome = try harness.result(answer, to: request.body, claims: request.claims)
            switch outcome {
            case .wrong, .blocked(_, counted: true), .blockedPermanently(counted: true): return true
            default: return false
            }
          } catch is ProblemError { return false }
        }
      }
      return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
    }
  }

  private func requests(
    _ names: [InstructionName], by wallet: TestWallet
  ) throws -> [TestWallet.Prepared] {
    try (0..<guesses).map { try wallet.prepareChallenge(names[$0 % names.count]) }
  }

  func test128ParallelEvaluationsNeverExceedThePolicy() async throws {
    let harness = try ProviderHarness()
    let wallet = try await TestWallet.confirmed(harness, hardware: .makeP256())
    let requests = try requests([.checkPin], by: wallet)
    // The clock stands still, so the block of a minute applies to all later guesses.
    let outcomes = try await outcomes(of: requests, at: harness)
    XCTAssertEqual(outcomes.count, guesses)
    let evaluated = outcomes.filter { if case .challenge = $0 { true } else { false } }.count
    // Each is sent out of its order, so that a later one can leave all of them too low a number.
    XCTAssertLessThanOrEqual(evaluated, 4)
    XCTAssertEqual(evaluations(in: outcomes).count, evaluated, "each is another")
    let stored = try await harness.stored(wallet)
    let counted = try XCTUnwrap(stored?.attempts.wrongAttempts)
    XCTAssertTrue((evaluated...4).contains(counted), "\(counted)")
    for outcome in outcomes {
      switch outcome {
      case .challenge, .sequenceRefused: break
      default: XCTAssertEqual(outcome, .blocked(milliseconds: 60_000, counted: false))
      }
    }
  }

  func testOneOfManyEvaluationsIsAnsweredOnce() async throws {
    let harness = try ProviderHarness()
    let wallet = try await TestWallet.confirmed(harness)
    var requests: [TestWallet.Prepared] = []
    for _ in 1...3 {
      let challenge = try await wallet.challenge(for: .checkPin)
      requests += try (1...40).map { _ in
        try wallet.preparePin(.checkPin, pin: "654123", challenge: challenge)
      }
    }
    let judged = try await judged(requests, at: harness)
    XCTAssertEqual(judged, 1)
    XCTAssertEqual(harness.observer.all, [.wrong])
    let stored = try await harness.stored(wallet)
    XCTAssertEqual(stored?.attempts.wrongAttempts, 3)
    XCTAssertEqual(stored?.attempts.failures, 3)
  }

  func testMixedChecksAndPinChangesNeverExceedThePolicy() async throws {
    let harness = try ProviderHarness()
    let wallet = try await TestWallet.confirmed(harness)
    let prepared = try await wallet.prepareChange(
      from: "123654", to: "271828", change: TestWallet.newChange())
    guard case .valid = prepared else { return XCTFail("\(prepared)") }
    let pending = try await harness.stored(wallet)?.pending
    let requests = try requests([.checkPin, .beginPinChange], by: wallet)
    let outcomes = try await outcomes(of: requests, at: harness)
    XCTAssertEqual(outcomes.count, guesses)
    var guessed: [TestWallet.Prepared] = []
    for (number, outcome) in outcomes.enumerated() {
      guard case .challenge = outcome else { continue }
      let challenge = try wallet.challenge(in: outcome, of: requests[number])
      guessed.append(
        number.isMultiple(of: 2)
          ? try wallet.preparePin(.checkPin, pin: "654123", challenge: challenge)
          : try wallet.prepareBeginning(
            from: "654123", to: "424243", change: TestWallet.newChange(), challenge: challenge))
    }
    XCTAssertLessThanOrEqual(guessed.count, 4)
    let judged = try await judged(guessed, at: harness)
    XCTAssertLessThanOrEqual(judged, 1)
    let stored = try await harness.stored(wallet)
    let counted = try XCTUnwrap(stored?.attempts.wrongAttempts)
    XCTAssertTrue((guessed.count...4).contains(counted), "\(counted)")
    XCTAssertEqual(stored?.pending, pending, "a wrong PIN does not replace the pending key")
  }

  func testCountsEveryEvaluationOnceWhenThePolicyAllowsMany() async throws {
    var settings = ProviderSettings()
    settings.attemptPolicy = try AttemptPolicy(
      rounds: 2, attemptsPerRound: 100, blockDurations: [60_000], failuresPerMonth: 1000)
    let harness = try ProviderHarness(settings: settings)
    let wallet = try await TestWallet.confirmed(harness)
    let requests = Array(try requests([.checkPin], by: wallet).prefix(90))
    let outcomes = try await outcomes(of: requests, at: harness)
    let evaluated = evaluations(in: outcomes).count
    XCTAssertGreaterThanOrEqual(evaluated, 1)
    // The next evaluation brings what the evaluator alone has counted.
    _ = try await wallet.challenge(for: .checkPin)
    let stored = try await harness.stored(wallet)
    let counted = try XCTUnwrap(stored?.attempts.wrongAttempts)
    XCTAssertTrue((evaluated + 1...91).contains(counted), "\(evaluated) \(counted)")
    for case .sequenceRefused(let current) in outcomes {
      XCTAssertLessThanOrEqual(current, wallet.sequence)
    }
  }

  func testOneRequestSent128TimesConcurrentlyIsOneAttempt() async throws {
    let harness = try ProviderHarness()
    let wallet = try await TestWallet.confirmed(harness)
    let asked = try wallet.prepareChallenge(.checkPin)
    let evaluated = try await outcomes(of: Array(repeating: asked, count: guesses), at: harness)
    let first = try XCTUnwrap(evaluated.first)
    XCTAssertTrue(evaluated.allSatisfy { $0 == first }, "all get the same evaluation")
    let request = try wallet.preparePin(
      .checkPin, pin: "654123", challenge: try wallet.challenge(in: first, of: asked))
    let outcomes = try await outcomes(of: Array(repeating: request, count: guesses), at: harness)
    XCTAssertTrue(outcomes.allSatisfy { $0 == .wrong(attemptsLeft: 3, finalRound: false) })
    XCTAssertEqual(harness.observer.all, [.wrong])
    let next = try await wallet.check("654123")
    XCTAssertEqual(next, .wrong(attemptsLeft: 2, finalRound: false), "the evaluator agrees")
  }

  func testConcurrentRegistrationsOfOneKeyMakeOneWallet() async throws {
    let harness = try ProviderHarness()
    let wallet = TestWallet(harness)
    var requests: [TestWallet.Prepared] = []
    var keys: [String?] = []
    for _ in 1...16 {
      let challenge = try await wallet.registrationChallenge()
      keys.append(wallet.evaluations[challenge]?.key)
      requests.append(try wallet.preparePin(.register, pin: "123654", challenge: challenge))
    }
    let outcomes = try await outcomes(of: requests, at: harness)
    // A registration that arrives after a later one is refused, and changes nothing.
    let accepted = outcomes.filter { if case .sequenceRefused = $0 { false } else { true } }
    XCTAssertFalse(accepted.isEmpty)
    let ids = try accepted.map { outcome in
      try wallet.accept(outcome)
      return wallet.id
    }
    XCTAssertEqual(Set(ids).count, 1)
    let counts = try await harness.store.walletCounts()
    XCTAssertEqual(counts.pending, 1)
    // Provider and evaluator have kept the same one, the last.
    let last = try XCTUnwrap(
      outcomes.lastIndex { if case .registered = $0 { true } else { false } })
    try wallet.accept(outcomes[last])
    wallet.pinKeyID = keys[last]
    _ = try await wallet.confirm()
    let share = try await wallet.checkRight()
    XCTAssertEqual(share, wallet.share)
  }
}
