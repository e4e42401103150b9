import WalletProtocol
import WalletProvider
import WalletProviderSQLite
import XCTest

/// Many parallel guesses through two providers with separate connections to one file.
class ParallelGuessTests: StoreTestCase {
  /// As many as a wallet can have challenges at once.
  private let guesses = 128

  private func outcomes(
    of requests: [TestWallet.Prepared], at harness: ProviderHarness
  ) async throws -> [InstructionOutcome] {
    let providers = [harness.provider, try harness.secondProvider()]
    return try await withThrowingTaskGroup(of: InstructionOutcome.self) { group in
      for (number, request) in requests.enumerated() {
        group.addTask {
          let provider = providers[number % providers.count]
          let answer = try await provider.answer(request.instruction, body: request.body)
          return try harness.result(answer, to: request.body, claims: request.claims)
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
  }

  private func wasChecked(_ outcome: InstructionOutcome) -> Bool {
    if case .wrong = outcome { return true }
    return outcome == .blocked(milliseconds: 60_000, counted: true)
  }

  func test128ParallelWrongGuessesNeverExceedThePolicy() async throws {
    let harness = try ProviderHarness()
    XCTAssertEqual(harness.settings.maximumChallengesPerWallet, guesses)
    let wallet = try await TestWallet.confirmed(harness, hardware: .makeP256())
    var challenges: [String] = []
    for _ in 1...guesses { challenges.append(try await wallet.challenge(for: .checkPin)) }
    let requests = try challenges.map {
      try wallet.preparePin(.checkPin, pin: "654123", challenge: $0)
    }
    // The clock stands still, so the block of a minute applies to all later guesses.
    let outcomes = try await outcomes(of: requests, at: harness)
    XCTAssertEqual(outcomes.count, guesses)
    let checked = harness.observer.all.count
    XCTAssertLessThanOrEqual(checked, 4)
    XCTAssertGreaterThanOrEqual(checked, 1)
    let stored = try await harness.stored(wallet)
    XCTAssertEqual(stored?.attempts.wrongAttempts, checked)
    let lefts = outcomes.compactMap { outcome -> UInt32? in
      if case .wrong(let left, finalRound: _) = outcome { left } else { nil }
    }
    // Each counted attempt has a different answer: no two saw the same number of attempts left.
    XCTAssertEqual(lefts.sorted(by: >), Array([3, 2, 1].prefix(lefts.count)))
    XCTAssertEqual(Set(lefts).count, lefts.count)
  }

  func testMixedChecksAndPreparationsNeverExceedThePolicy() async throws {
    let harness = try ProviderHarness()
    let wallet = try await TestWallet.confirmed(harness)
    let prepared = try await wallet.prepareChange(
      from: "123654", to: "271828", change: TestWallet.newChange())
    guard case .valid = prepared else { return XCTFail("\(prepared)") }
    let pending = try await harness.stored(wallet)?.pending
    var challenges: [(InstructionName, String)] = []
    for number in 1...guesses {
      let name = number.isMultiple(of: 2) ? InstructionName.checkPin : .preparePinChange
      challenges.append((name, try await wallet.challenge(for: name)))
    }
    let requests = try challenges.map { name, challenge in
      name == .checkPin
        ? try wallet.preparePin(.checkPin, pin: "654123", challenge: challenge)
        : try wallet.prepareChange(
          from: "654123", to: "424243", change: TestWallet.newChange(), challenge: challenge)
    }
    let outcomes = try await outcomes(of: requests, at: harness)
    XCTAssertEqual(outcomes.count, guesses)
    let checked = harness.observer.all.count - 1
    XCTAssertTrue((1...4).contains(checked), "\(checked)")
    let stored = try await harness.stored(wallet)
    XCTAssertEqual(stored?.attempts.wrongAttempts, checked)
    XCTAssertEqual(stored?.pending, pending, "a wrong PIN does not replace the pending key")
    XCTAssertEqual(outcomes.filter(wasChecked).count, checked, "each has a different answer")
  }

  func testCountsEveryCheckedGuessOnceWhenThePolicyAllowsMany() async throws {
    var settings = ProviderSettings()
    settings.attemptPolicy = try AttemptPolicy(
      rounds: 1, attemptsPerRound: 100, blockDurations: [], failuresPerMonth: 1000)
    let harness = try ProviderHarness(settings: settings)
    let wallet = try await TestWallet.confirmed(harness)
    var challenges: [String] = []
    for _ in 1...guesses { challenges.append(try await wallet.challenge(for: .checkPin)) }
    let requests = try challenges.map {
      try wallet.preparePin(.checkPin, pin: "654123", challenge: $0)
    }
    let outcomes = try await outcomes(of: requests, at: harness)
    let checked = outcomes.filter(wasChecked).count
    XCTAssertEqual(checked, harness.observer.all.count)
    let stored = try await harness.stored(wallet)
    XCTAssertEqual(stored?.attempts.wrongAttempts, checked)
    for case .sequenceRefused(let current) in outcomes {
      XCTAssertLessThanOrEqual(current, wallet.sequence)
    }
  }

  func testOneRequestSent128TimesConcurrentlyIsOneAttempt() async throws {
    let harness = try ProviderHarness()
    let wallet = try await TestWallet.confirmed(harness)
    let request = try wallet.preparePin(
      .checkPin, pin: "654123", challenge: try await wallet.challenge(for: .checkPin))
    let outcomes = try await outcomes(of: Array(repeating: request, count: guesses), at: harness)
    XCTAssertTrue(outcomes.allSatisfy { $0 == .wrong(attemptsLeft: 3, finalRound: false) })
    XCTAssertEqual(harness.observer.all, [.wrong])
  }

  func testConcurrentRegistrationsOfOneKeyMakeOneWallet() async throws {
    let harness = try ProviderHarness()
    let wallet = TestWallet(harness)
    var requests: [TestWallet.Prepared] = []
    for _ in 1...16 {
      let challenge = try await harness.provider.enrolmentChallenge().challenge
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
  }
}
