import WalletProtocol
import WalletProvider
import XCTest

/// Only a PIN signature that does not verify is an attempt. Each request here also contains a wrong
/// PIN, and still none is counted.
class UncountedRequestTests: StoreTestCase {
  private let wrong = "654123"

  private func assertNothingCounted(
    _ wallet: TestWallet, file: StaticString = #filePath, line: UInt = #line
  ) async throws {
    XCTAssertEqual(wallet.harness.observer.all, [], file: file, line: line)
    let stored = try await wallet.harness.stored(wallet)
    XCTAssertEqual(stored?.attempts, AttemptState(), file: file, line: line)
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
    try await assertNothingCounted(wallet)
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
      wallet.preparePlain(
        .challenge, ChallengePayload(instruction: .checkPin), challenge: nil, sequence: current))
    XCTAssertEqual(asked, .sequenceRefused(current: current))
    try await assertNothingCounted(wallet)
  }

  func testRefusesAnUnknownChallengeAndThoseOfOtherWalletsOrInstructions() async throws {
    let harness = try ProviderHarness()
    let wallet = try await TestWallet.confirmed(harness)
    let other = try await TestWallet.confirmed(harness)
    let challenges = [
      Base64URL.encode([UInt8](repeating: 7, count: 32)), Base64URL.encode([1, 2, 3]), "?",
      try await other.challenge(for: .checkPin), try await wallet.challenge(for: .deleteWallet),
      try await harness.provider.enrolmentChallenge().challenge,
    ]
    for challenge in challenges {
      let request = try wallet.preparePin(.checkPin, pin: wrong, challenge: challenge)
      let kind = await problem { try await wallet.send(request) }
      XCTAssertEqual(kind, .challengeRefused)
    }
    try await assertNothingCounted(wallet)
  }

  func testRefusesAChallengeFromTheMomentItExpires() async throws {
    let wallet = try await TestWallet.confirmed(try ProviderHarness())
    let challenge = try await wallet.challenge(for: .checkPin)
    wallet.harness.clock.advance(60_000)
    let request = try wallet.preparePin(.checkPin, pin: wrong, challenge: challenge)
    let kind = await problem { try await wallet.send(request) }
    XCTAssertEqual(kind, .challengeRefused)
    try await assertNothingCounted(wallet)
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
        .checkPin, pin: wrong, challenge: challenge, tamperOuter: { $0.version = 2 }),
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
    try await assertNothingCounted(wallet)
  }

  func testRefusesAnotherWireVersionOrProviderDespiteValidSignatures() async throws {
    let wallet = try await TestWallet.confirmed(try ProviderHarness())
    let challenge = try await wallet.challenge(for: .checkPin)
    let tampers: [(inout InstructionClaims) -> Void] = [
      { $0.version = 2 }, { $0.version = 0 }, { $0.audience = "other" }, { $0.audience = "" },
    ]
    for tamper in tampers {
      let request = try wallet.preparePin(
        .checkPin, pin: wrong, challenge: challenge, tamperInner: tamper, tamperOuter: tamper)
      let kind = await problem { try await wallet.send(request) }
      XCTAssertEqual(kind, .instructionRefused)
    }
    try await assertNothingCounted(wallet)
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
    try await assertNothingCounted(wallet)
  }

  func testRefusesAnInstructionAtTheRouteOfAnother() async throws {
    let wallet = try await TestWallet.confirmed(try ProviderHarness())
    var request = try wallet.preparePin(
      .checkPin, pin: wrong, challenge: try await wallet.challenge(for: .checkPin))
    request.instruction = .deleteWallet
    let kind = await problem { [request] in try await wallet.send(request) }
    XCTAssertEqual(kind, .instructionRefused)
    try await assertNothingCounted(wallet)
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
