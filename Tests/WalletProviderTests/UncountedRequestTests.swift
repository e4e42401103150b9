import ServerTestSupport
import WalletAttempts
import WalletProtocol
import WalletProvider
import XCTest

/// Only an evaluation is an attempt, and only its own answer is checked. Each request here also
/// contains a wrong PIN, and still it neither counts nor ends the attempt that is open.
class UncountedRequestTests: StoreTestCase {
  private let wrong = "654123"

  /// - Parameter time: when the attempt began.
  private func assertNothingCounted(
    _ wallet: TestWallet, since time: Int64, file: StaticString = #filePath, line: UInt = #line
  ) async throws {
    XCTAssertEqual(wallet.harness.observer.all, [], file: file, line: line)
    let stored = try await wallet.harness.stored(wallet)
    XCTAssertEqual(
      stored?.attempts, AttemptState(wrongAttempts: 1, openSince: time), file: file, line: line)
  }

  func testInvalidHardwareSignatureChangesNothing() async throws {
    let wallet = try await TestWallet.confirmed(try ProviderHarness())
    let challenge = try await wallet.challenge(for: .checkPin)
    let before = try await wallet.harness.stored(wallet)
    let real = wallet.hardware
    for key in [TestHardwareKey.makeEd25519(), .makeP256()] {
      wallet.hardware = key
      let request = try wallet.preparePin(.checkPin, pin: wrong, challenge: challenge)
      let kind = await problem { try await wallet.send(request) }
      XCTAssertEqual(kind, .signatureInvalid)
    }
    wallet.hardware = real
    let after = try await wallet.harness.stored(wallet)
    XCTAssertEqual(before, after)
    try await assertNothingCounted(wallet, since: wallet.harness.clock.now)
    // The challenge remains valid for the wallet itself.
    let outcome = try await wallet.send(
      wallet.preparePin(.checkPin, pin: "123654", challenge: challenge))
    guard case .valid = outcome else { return XCTFail("\(outcome)") }
  }

  func testAnswersAnOldSequenceNumberWithTheSignedCurrentOne() async throws {
    let wallet = try await TestWallet.confirmed(try ProviderHarness())
    let challenge = try await wallet.challenge(for: .checkPin)
    let current = wallet.sequence
    for sequence in [0, 1, current] {
      let outcome = try await wallet.send(
        wallet.preparePin(.checkPin, pin: wrong, challenge: challenge, sequence: sequence))
      XCTAssertEqual(outcome, .sequenceRefused(current: current))
    }
    let asked = try await wallet.send(
      wallet.prepareChallenge(.checkPin, sequence: current))
    XCTAssertEqual(asked, .sequenceRefused(current: current))
    try await assertNothingCounted(wallet, since: wallet.harness.clock.now)
  }

  func testRefusesAnUnknownChallengeAndThoseOfOtherWalletsOrInstructions() async throws {
    let harness = try ProviderHarness()
    let wallet = try await TestWallet.confirmed(harness)
    let other = try await TestWallet.confirmed(harness)
    let begun = try await wallet.challenge(for: .checkPin)
    let evaluation = wallet.evaluation
    let challenges = [
      Base64URL.encode([UInt8](repeating: 7, count: 32)), Base64URL.encode([1, 2, 3]), "?",
      try await other.challenge(for: .checkPin), try await wallet.challenge(for: .deleteWallet),
      try await wallet.registrationChallenge(),
    ]
    // Each names the evaluation that is open.
    wallet.evaluations = [begun: try XCTUnwrap(evaluation)]
    wallet.evaluation = evaluation
    for challenge in challenges {
      let request = try wallet.preparePin(.checkPin, pin: wrong, challenge: challenge)
      let kind = await problem { try await wallet.send(request) }
      XCTAssertEqual(kind, .challengeRefused)
    }
    try await assertNothingCounted(wallet, since: wallet.harness.clock.now)
  }

  /// Without an evaluation, only the challenge tells whose it is.
  func testRefusesAChallengeOfAnotherWalletForAnInstructionWithoutAPin() async throws {
    let harness = try ProviderHarness()
    let wallet = try await TestWallet.confirmed(harness)
    let other = try await TestWallet.confirmed(harness)
    let challenge = try await other.challenge(for: .deleteWallet)
    let request = try wallet.preparePlain(.deleteWallet, EmptyPayload(), challenge: challenge)
    let kind = await problem { try await wallet.send(request) }
    XCTAssertEqual(kind, .challengeRefused)
  }

  func testRefusesAChallengeFromTheMomentItExpires() async throws {
    let wallet = try await TestWallet.confirmed(try ProviderHarness())
    let challenge = try await wallet.challenge(for: .checkPin)
    let begun = wallet.harness.clock.now
    wallet.harness.clock.advance(120_000)
    let request = try wallet.preparePin(.checkPin, pin: wrong, challenge: challenge)
    let kind = await problem { try await wallet.send(request) }
    XCTAssertEqual(kind, .challengeRefused)
    try await assertNothingCounted(wallet, since: begun)
  }

  func testRefusesASealedMessageThatDoesNotOpenOrDiffers() async throws {
    let wallet = try await TestWallet.confirmed(try ProviderHarness())
    let challenge = try await wallet.challenge(for: .checkPin)
    let stranger = Base64URL.encode(TestHardwareKey.makeEd25519().der)
    let tampered: [TestWallet.Prepared] = [
      try wallet.preparePin(
        .checkPin, pin: wrong, challenge: challenge, tamperSealed: { $0[40] ^= 1 }),
      try wallet.preparePin(.checkPin, pin: wrong, challenge: challenge, tamperSealed: { $0 = [] }),
      try wallet.preparePin(
        .checkPin, pin: wrong, challenge: challenge, tamperInner: { $0.wallet = "other" }),
      try wallet.preparePin(
        .checkPin, pin: wrong, challenge: challenge, tamperInner: { $0.sequence += 1 }),
      try wallet.preparePin(
        .checkPin, pin: wrong, challenge: challenge, tamperInner: { $0.instruction = .register }),
      try wallet.preparePin(
        .checkPin, pin: wrong, challenge: challenge, tamperInner: { $0.challenge = nil }),
      try wallet.preparePin(
        .checkPin, pin: wrong, challenge: challenge, tamperInner: { $0.hardwareKey = stranger }),
      try wallet.preparePin(
        .checkPin, pin: wrong, challenge: challenge, tamperInner: { $0.payloadHash = "" }),
      try wallet.preparePin(
        .checkPin, pin: wrong, challenge: challenge, tamperOuter: { $0.encryptionKey = "other" }),
      try wallet.preparePin(
        .checkPin, pin: wrong, challenge: challenge, tamperOuter: { $0.version = 1 }),
      try wallet.preparePin(
        .checkPin, pin: wrong, challenge: challenge, tamperOuter: { $0.audience = "other" }),
      try wallet.preparePin(
        .checkPin, pin: wrong, challenge: challenge, tamperOuter: { $0.payloadHash = "" }),
      // A point of low order, to which no share could be sealed.
      try wallet.preparePin(
        .checkPin, pin: wrong, challenge: challenge, recipient: [UInt8](repeating: 0, count: 32)),
      try wallet.preparePin(.checkPin, pin: wrong, challenge: challenge, recipient: [1, 2]),
    ]
    for (number, request) in tampered.enumerated() {
      let kind = await problem { try await wallet.send(request) }
      XCTAssertEqual(kind, .instructionRefused, "request \(number)")
    }
    try await assertNothingCounted(wallet, since: wallet.harness.clock.now)
  }

  func testRefusesAnotherWireVersionOrProviderDespiteValidSignatures() async throws {
    let wallet = try await TestWallet.confirmed(try ProviderHarness())
    let challenge = try await wallet.challenge(for: .checkPin)
    let tampers: [(inout InstructionClaims) -> Void] = [
      { $0.version = 1 }, { $0.version = 3 }, { $0.version = 0 }, { $0.audience = "other" },
      { $0.audience = "" },
    ]
    for tamper in tampers {
      let request = try wallet.preparePin(
        .checkPin, pin: wrong, challenge: challenge, tamperInner: tamper, tamperOuter: tamper)
      let kind = await problem { try await wallet.send(request) }
      XCTAssertEqual(kind, .instructionRefused)
    }
    try await assertNothingCounted(wallet, since: wallet.harness.clock.now)
  }

  func testRefusesAnInnerMessageOfAnotherKindWithoutAnAttempt() async throws {
    let wallet = try await TestWallet.confirmed(try ProviderHarness())
    let challenge = try await wallet.challenge(for: .checkPin)
    for pin in [wrong, "123654"] {
      let request = try wallet.preparePin(
        .checkPin, pin: pin, challenge: challenge, innerType: .instruction)
      let kind = await problem { try await wallet.send(request) }
      XCTAssertEqual(kind, .instructionRefused)
    }
    try await assertNothingCounted(wallet, since: wallet.harness.clock.now)
  }

  func testRefusesAnAnswerToAnythingButTheNewestEvaluation() async throws {
    let wallet = try await TestWallet.confirmed(try ProviderHarness())
    let former = try await wallet.challenge(for: .checkPin)
    let before = wallet.evaluation
    let challenge = try await wallet.challenge(for: .checkPin)
    let counted = try await wallet.harness.stored(wallet)
    XCTAssertEqual(counted?.attempts.wrongAttempts, 2, "each evaluation is an attempt")
    let blinded = try TestWallet.newBlinded()
    let tampers: [(inout InstructionClaims) -> Void] = [
      { $0.evaluation = nil }, { $0.evaluation = "" }, { $0.evaluation = before?.id },
      { $0.blinded = nil }, { $0.blinded = "" }, { $0.blinded = blinded },
      {
        $0.evaluation = before?.id
        $0.blinded = before?.blinded
      },
    ]
    var requests = [try wallet.preparePin(.checkPin, pin: "123654", challenge: former)]
    for pin in [wrong, "123654"] {
      requests += try tampers.map {
        try wallet.preparePin(.checkPin, pin: pin, challenge: challenge, tamperInner: $0)
      }
    }
    for (number, request) in requests.enumerated() {
      let kind = await problem { try await wallet.send(request) }
      XCTAssertEqual(kind, .challengeRefused, "request \(number)")
    }
    XCTAssertEqual(wallet.harness.observer.all, [])
    let after = try await wallet.harness.stored(wallet)
    XCTAssertEqual(after, counted)
    let outcome = try await wallet.send(
      wallet.preparePin(.checkPin, pin: "123654", challenge: challenge))
    guard case .valid = outcome else { return XCTFail("\(outcome)") }
  }

  func testRefusesAChallengeForAnAttemptWithoutKeyOrGroupElement() async throws {
    let harness = try ProviderHarness()
    let wallet = try await TestWallet.confirmed(harness)
    let other = try await TestWallet.confirmed(harness)
    let (key, element) = (wallet.pinKeyID, try TestWallet.newBlinded())
    let payloads: [(String?, String?)] = [
      (nil, nil), (nil, element), (key, nil), ("", element), ("other", element),
      (other.pinKeyID, element), (key, ""), (key, "?"), (key, element + "AA"),
      (key, Base64URL.encode([UInt8](repeating: 0, count: 32))),
      (key, Base64URL.encode([UInt8](repeating: 255, count: 32))),
    ]
    let before = try await harness.stored(wallet)
    for name in InstructionName.allCases where name.isAttempt {
      for (number, (key, blinded)) in payloads.enumerated() {
        let request = try wallet.preparePlain(
          .challenge, ChallengePayload(instruction: name, key: key, blinded: blinded),
          challenge: nil)
        let kind = await problem { try await wallet.send(request) }
        XCTAssertEqual(kind, .instructionRefused, "\(name) \(number)")
      }
    }
    let after = try await harness.stored(wallet)
    XCTAssertEqual(after, before)
    let first = try await wallet.check(wrong)
    XCTAssertEqual(first, .wrong(attemptsLeft: 3, finalRound: false), "the evaluator agrees")
  }

  func testRefusesAnInstructionAtTheRouteOfAnother() async throws {
    let wallet = try await TestWallet.confirmed(try ProviderHarness())
    var request = try wallet.preparePin(
      .checkPin, pin: wrong, challenge: try await wallet.challenge(for: .checkPin))
    request.instruction = .deleteWallet
    let kind = await problem { [request] in try await wallet.send(request) }
    XCTAssertEqual(kind, .instructionRefused)
    try await assertNothingCounted(wallet, since: wallet.harness.clock.now)
  }

  func testAnswersAnUnknownWalletWithASignature() async throws {
    let wallet = TestWallet(try ProviderHarness())
    wallet.id = "nobody"
    let challenge = Base64URL.encode([UInt8](repeating: 7, count: 32))
    let outcome = try await wallet.send(
      wallet.preparePin(.checkPin, pin: wrong, challenge: challenge))
    XCTAssertEqual(outcome, .unknownWallet)
  }
}
