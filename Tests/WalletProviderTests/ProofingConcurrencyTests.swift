import WalletProtocol
import WalletProvider
import WalletProviderSQLite
import XCTest

/// Many concurrent wallets and resends, through two providers with separate connections.
class ProofingConcurrencyTests: StoreTestCase {
  override class var connections: Int { 8 }

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

  func testOnlyOneOfSixtyFourConcurrentClaimsOfACodeWins() async throws {
    let harness = try ProviderHarness()
    let code = try await harness.accounts.create(try TestPerson.person())
    var requests: [TestWallet.Prepared] = []
    for _ in 1...64 {
      let wallet = try await TestWallet.confirmed(harness)
      requests.append(try await wallet.prepareClaim(code.secret))
    }
    let outcomes = try await outcomes(of: requests, at: harness)
    XCTAssertEqual(outcomes.count, 64)
    let winners = outcomes.filter { if case .claimed = $0 { true } else { false } }
    XCTAssertEqual(winners.count, 1)
    let losers = outcomes.filter { $0 == .codeRefused(CodeRefusal(.claimedElsewhere)) }
    XCTAssertEqual(losers.count, 63)
    let counts = try await harness.store.proofingCounts()
    XCTAssertEqual(counts.sessions, 1)
    XCTAssertEqual(counts.claimed, 1)
  }

  func testEqualConcurrentSubmissionsGetOneVerdictAndOneAttempt() async throws {
    let harness = try ProviderHarness()
    let wallet = try await TestWallet.confirmed(harness)
    let session = try await wallet.newSession()
    for (family, state, attempts) in [
      ("OTHER", ProofingStatus.State.resubmit, 4), ("MUSTERMANN", .proofed, 4),
    ] {
      let key = (0..<16).map { _ in UInt8.random(in: 0...255) }
      let claims = try TestPerson.claims(family: family)
      var challenges: [String] = []
      for _ in 1...32 { challenges.append(try await wallet.challenge(for: .submitEvidence)) }
      let requests = try challenges.map {
        try wallet.prepareSealed(
          .submitEvidence, wallet.submission(claims, session.id, key: key, challenge: $0),
          challenge: $0)
      }
      let outcomes = try await outcomes(of: requests, at: harness)
      let statuses = outcomes.compactMap { outcome -> ProofingStatus? in
        if case .proofing(let status) = outcome { status } else { nil }
      }
      // Requests that arrive after a later one are refused because of their sequence number.
      XCTAssertGreaterThanOrEqual(statuses.count, 1)
      XCTAssertEqual(Set(statuses.map(\.state)), [state])
      let found = try await harness.session(session.id)
      let code = try await harness.code(try XCTUnwrap(found))
      XCTAssertEqual(code?.attemptsLeft, attempts)
    }
    let counts = try await harness.store.proofingCounts()
    XCTAssertEqual(counts.consumed, 1)
    XCTAssertEqual(counts.proofed, 1)
  }

  func testDifferentConcurrentSubmissionsAreHandledOneAfterAnother() async throws {
    let harness = try ProviderHarness()
    let wallet = try await TestWallet.confirmed(harness)
    let session = try await wallet.newSession()
    var received: [ProofingStatus] = []
    // Requests that arrive after a later one are refused because of their sequence number, hence
    // the rounds.
    for round in 0..<16 where received.last?.state != .exhausted {
      var requests: [TestWallet.Prepared] = []
      for number in 0..<8 {
        let claims = try TestPerson.claims(family: "OTHER\(["A", "B", "C", "D"][number % 4])")
        let key = (0..<16).map { _ in UInt8.random(in: 0...255) }
        let challenge = try await wallet.challenge(for: .submitEvidence)
        requests.append(
          try wallet.prepareSealed(
            .submitEvidence, wallet.submission(claims, session.id, key: key, challenge: challenge),
            challenge: challenge))
      }
      let statuses = try await outcomes(of: requests, at: harness).compactMap {
        outcome -> ProofingStatus? in
        if case .proofing(let status) = outcome { status } else { nil }
      }
      XCTAssertFalse(statuses.isEmpty, "round \(round)")
      received += statuses.sorted { ($0.attemptsLeft ?? 0) > ($1.attemptsLeft ?? 0) }
    }
    // Each attempt was counted once, whichever request used it.
    let left = received.filter { $0.state == .resubmit }.compactMap(\.attemptsLeft)
    XCTAssertEqual(left, [4, 3, 2, 1])
    XCTAssertEqual(received.last?.state, .exhausted)
    let counts = try await harness.store.proofingCounts()
    XCTAssertEqual(counts.consumed, 1)
    XCTAssertEqual(counts.proofed, 0)
  }

  func testOneSubmissionSentConcurrentlyHasOneAnswer() async throws {
    let vetting = ScriptedVetting(Array(repeating: .resubmit(.notMatched), count: 100))
    let harness = try ProviderHarness(vetting: vetting)
    let wallet = try await TestWallet.confirmed(harness)
    let session = try await wallet.newSession()
    let request = try await wallet.prepareSubmission(try TestPerson.claims(), session.id)
    let outcomes = try await outcomes(
      of: Array(repeating: request, count: 32), at: harness)
    guard case .proofing(let status) = outcomes[0] else { return XCTFail("no status") }
    XCTAssertEqual(status.attemptsLeft, 4)
    XCTAssertTrue(outcomes.allSatisfy { $0 == outcomes[0] })
  }

  func testOneDocumentSubmittedForTwoAccountsProofsOne() async throws {
    let harness = try ProviderHarness()
    var requests: [TestWallet.Prepared] = []
    for _ in 1...8 {
      let wallet = try await TestWallet.confirmed(harness)
      let session = try await wallet.newSession()
      requests.append(
        try await wallet.prepareSubmission(try TestPerson.claims(), session.id))
    }
    let outcomes = try await outcomes(of: requests, at: harness)
    let states = outcomes.compactMap { outcome -> ProofingStatus.State? in
      if case .proofing(let status) = outcome { status.state } else { nil }
    }
    XCTAssertEqual(states.filter { $0 == .proofed }.count, 1)
    XCTAssertEqual(states.filter { $0 == .resubmit }.count, 7)
  }
}
