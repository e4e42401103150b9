import WalletAttempts
import WalletProtocol
import WalletProvider
import XCTest

class RetransmissionTests: StoreTestCase {
  func testByteIdenticalRetransmissionGetsTheSameAnswerAndCountsOnce() async throws {
    let harness = try ProviderHarness()
    let wallet = try await TestWallet.confirmed(harness)
    let request = try wallet.preparePin(
      .checkPin, pin: "654123", challenge: try await wallet.challenge(for: .checkPin))
    let first = try await harness.provider.answer(.checkPin, body: request.body)
    harness.clock.advance(119_999)
    for _ in 1...3 {
      let again = try await harness.provider.answer(.checkPin, body: request.body)
      XCTAssertEqual(again, first)
    }
    XCTAssertEqual(harness.observer.all, [.wrong])
    harness.clock.advance(1)
    let kind = await problem { try await wallet.send(request) }
    XCTAssertEqual(kind, .challengeRefused)
    XCTAssertEqual(harness.observer.all, [.wrong])
  }

  func testAChallengeSentAgainGetsTheSameEvaluationAndCountsOnce() async throws {
    let harness = try ProviderHarness()
    let wallet = try await TestWallet.confirmed(harness)
    let asked = try wallet.prepareChallenge(.checkPin)
    let first = try await harness.provider.answer(.challenge, body: asked.body)
    let second = try harness.secondProvider()
    for provider in [harness.provider, second, harness.provider] {
      let again = try await provider.answer(.challenge, body: asked.body)
      XCTAssertEqual(again, first)
    }
    let stored = try await harness.stored(wallet)
    XCTAssertEqual(stored?.attempts.wrongAttempts, 1)
    let outcome = try harness.result(first, to: asked.body, claims: asked.claims)
    let challenge = try wallet.challenge(in: outcome, of: asked)
    let wrong = try await wallet.send(
      wallet.preparePin(.checkPin, pin: "654123", challenge: challenge))
    XCTAssertEqual(wrong, .wrong(attemptsLeft: 3, finalRound: false))
    // Also after the answer, and it makes no further guess possible.
    let late = try await harness.provider.answer(.challenge, body: asked.body)
    XCTAssertEqual(late, first)
    let next = try await wallet.check("654123")
    XCTAssertEqual(next, .wrong(attemptsLeft: 2, finalRound: false), "the evaluator counted once")
  }

  func testRetransmissionOfTheRightPinGetsTheSameShareEvenAfterABlock() async throws {
    let wallet = try await TestWallet.confirmed(try ProviderHarness())
    let request = try wallet.preparePin(
      .checkPin, pin: "123654", challenge: try await wallet.challenge(for: .checkPin))
    let first = try await wallet.send(request)
    for _ in 1...4 { _ = try await wallet.check("654123") }
    let again = try await wallet.send(request)
    XCTAssertEqual(again, first)
  }

  func testRefusesAnotherRequestWithAUsedChallenge() async throws {
    let wallet = try await TestWallet.confirmed(try ProviderHarness())
    let challenge = try await wallet.challenge(for: .checkPin)
    _ = try await wallet.send(wallet.preparePin(.checkPin, pin: "654123", challenge: challenge))
    let second = try wallet.preparePin(.checkPin, pin: "123654", challenge: challenge)
    let kind = await problem { try await wallet.send(second) }
    XCTAssertEqual(kind, .challengeUsed)
    XCTAssertEqual(wallet.harness.observer.all, [.wrong])
  }

  func testRefusesTheSameSignatureWithAnotherPayload() async throws {
    let wallet = try await TestWallet.confirmed(try ProviderHarness())
    var request = try wallet.preparePin(
      .checkPin, pin: "123654", challenge: try await wallet.challenge(for: .checkPin))
    _ = try await wallet.send(request)
    var envelope = try WireJSON.decode(InstructionEnvelope.self, from: request.body)
    envelope.payload = Base64URL.encode([1, 2, 3])
    request.body = try WireJSON.encode(envelope)
    let kind = await problem { [request] in try await wallet.send(request) }
    XCTAssertEqual(kind, .instructionRefused)
  }

  func testNewChallengesReplaceTheOldestOfAWallet() async throws {
    var settings = ProviderSettings()
    settings.maximumChallengesPerWallet = 2
    let wallet = try await TestWallet.confirmed(try ProviderHarness(settings: settings))
    var challenges: [String] = []
    for _ in 1...3 { challenges.append(try await wallet.challenge(for: .pinState)) }
    let oldest = try wallet.preparePlain(.pinState, EmptyPayload(), challenge: challenges[0])
    let kind = await problem { try await wallet.send(oldest) }
    XCTAssertEqual(kind, .challengeRefused)
    for challenge in challenges.dropFirst() {
      let outcome = try await wallet.send(
        wallet.preparePlain(.pinState, EmptyPayload(), challenge: challenge))
      XCTAssertEqual(outcome, .notBlocked(attemptsLeft: 4, finalRound: false))
    }
  }
}
