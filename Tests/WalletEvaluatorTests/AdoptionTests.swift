import ServerTestSupport
import WalletProtocol
import WalletSignatures
import XCTest

@testable import WalletEvaluator

/// The adoption of a PIN key that was opened.
final class AdoptionTests: EvaluatorTestCase {
  private func adopt(
    _ made: TestWallet.Made, _ message: String, _ pin: TestPinKey, of wallet: TestWallet,
    by evaluator: Evaluator
  ) async throws -> EvaluatorAnswer {
    let adoption = try wallet.adoption(message: message, publicKey: pin.publicKey)
    return try await evaluator.answer(.adopt(key: made.half.key, adoption: adoption))
  }

  func testAKeyIsEvaluatedOnceBeforeItIsAdopted() async throws {
    let evaluator = try evaluator()
    let wallet = TestWallet()
    let made = try await evaluator.opened(wallet)
    let early = try await evaluator.attempt(wallet, made.half.key)
    XCTAssertEqual(early, .refused)
    let proven = try await evaluator.proven(wallet, made)
    XCTAssertEqual(proven, .refused)
  }

  func testOnlyAMessageAboutThisEvaluationAdopts() async throws {
    let evaluator = try evaluator()
    let wallet = TestWallet()
    let made = try await evaluator.opened(wallet)
    let other = try await evaluator.opened(wallet)
    let (id, blinded) = (made.half.evaluation, made.blinded)
    let messages = [
      try wallet.message(.register, evaluation: other.half.evaluation, blinded: blinded),
      try wallet.message(.register, evaluation: id, blinded: other.blinded),
      try wallet.message(.register, evaluation: nil, blinded: nil),
      try wallet.message(.register, evaluation: id, blinded: blinded, signer: TestPinKey()),
      try wallet.message(
        .register, evaluation: id, blinded: blinded, hardwareKey: TestHardwareKey.makeP256().der),
      try wallet.message(.register, evaluation: id, blinded: blinded, type: .newPinKeyProof),
      try wallet.newKeyProof(made, by: wallet.pin),
      "not a message",
    ]
    for message in messages {
      let answer = try await adopt(made, message, wallet.pin, of: wallet, by: evaluator)
      XCTAssertEqual(answer, .refused, message)
    }
    let message = try wallet.message(.register, evaluation: id, blinded: blinded)
    let moved = try await adopt(other, message, wallet.pin, of: wallet, by: evaluator)
    XCTAssertEqual(moved, .refused)
    let unknown = try await evaluator.answer(
      .adopt(
        key: "unknown",
        adoption: try wallet.adoption(message: message, publicKey: wallet.pin.publicKey)))
    XCTAssertEqual(unknown, .unknownKey)
    for text in ["", "AAAA", "+"] {
      let answer = try await evaluator.answer(
        .adopt(
          key: made.half.key, adoption: try wallet.adoption(message: message, publicKey: text)))
      XCTAssertEqual(answer, .refused)
    }
    for _ in 1...2 {
      let answer = try await adopt(made, message, wallet.pin, of: wallet, by: evaluator)
      assertAdopted(answer)
    }
  }

  func testAProviderCannotAdoptAKeyOfItsOwn() async throws {
    let evaluator = try evaluator()
    let (wallet, pin) = (TestWallet(), TestPinKey())
    let made = try await evaluator.opened(wallet)
    // What the provider can make itself: a message by its own key, with the wallet's outer message.
    let message = try wallet.message(
      .register, evaluation: made.half.evaluation, blinded: made.blinded, signer: pin)
    func adoption(
      _ instruction: InstructionName = .register, committed: String? = nil,
      audience: String? = nil, challenge: String? = "challenge", signer: TestHardwareKey? = nil
    ) throws -> PinKeyAdoption {
      try wallet.adoption(
        instruction, message: message, publicKey: pin.publicKey, committed: committed,
        audience: audience, challenge: challenge, signer: signer)
    }
    let whole = try adoption()
    func changed(_ change: (inout PinKeyAdoption) -> Void) -> PinKeyAdoption {
      var adoption = whole
      change(&adoption)
      return adoption
    }
    let refused = [
      try adoption(committed: wallet.pin.publicKey), try adoption(signer: .makeP256()),
      try adoption(.preparePinChange), try adoption(.checkPin), try adoption(audience: "other"),
      try adoption(challenge: "another"), try adoption(challenge: nil),
      changed { $0.opening = Base64URL.encode(SecureRandom.bytes(32)) },
      changed { $0.opening = "" }, changed { $0.opening += "AAAA" },
      changed { $0.signature = message }, changed { $0.signature = "" },
      changed { $0.payload = "e30" },
    ]
    for (number, adoption) in refused.enumerated() {
      let answer = try await evaluator.answer(.adopt(key: made.half.key, adoption: adoption))
      XCTAssertEqual(answer, .refused, "\(number)")
    }
    let answer = try await evaluator.answer(.adopt(key: made.half.key, adoption: whole))
    assertAdopted(answer)
  }

  func testAnAdoptedKeyIsNotReplaced() async throws {
    let evaluator = try evaluator()
    let wallet = TestWallet()
    let made = try await evaluator.opened(wallet)
    let (id, blinded) = (made.half.evaluation, made.blinded)
    let own = try wallet.message(.register, evaluation: id, blinded: blinded)
    let adopted = try await adopt(made, own, wallet.pin, of: wallet, by: evaluator)
    assertAdopted(adopted)
    let thief = TestPinKey()
    let message = try wallet.message(.register, evaluation: id, blinded: blinded, signer: thief)
    let replaced = try await adopt(made, message, thief, of: wallet, by: evaluator)
    XCTAssertEqual(replaced, .refused)
    let attempt = try await evaluator.begun(wallet, made.half.key)
    let stolen = try await evaluator.proven(wallet, attempt, signer: thief)
    XCTAssertEqual(stolen, .refused)
    let right = try await evaluator.proven(wallet, attempt)
    XCTAssertEqual(try right.standing.attempts, 0)
  }

  func testAKeyIsAdoptedWithinAnHour() async throws {
    let evaluator = try evaluator()
    let early = TestWallet()
    let late = TestWallet()
    let (first, second) = (try await evaluator.opened(early), try await evaluator.opened(late))
    clock.advance(Evaluator.adoptionLife - 1)
    let message = try early.message(
      .register, evaluation: first.half.evaluation, blinded: first.blinded)
    let inTime = try await adopt(first, message, early.pin, of: early, by: evaluator)
    assertAdopted(inTime)
    clock.advance(1)
    let lateMessage = try late.message(
      .register, evaluation: second.half.evaluation, blinded: second.blinded)
    let tooLate = try await adopt(second, lateMessage, late.pin, of: late, by: evaluator)
    XCTAssertEqual(tooLate, .unknownKey)
    // The next opening deletes the row, and not that of the adopted key.
    _ = try await evaluator.opened(TestWallet())
    let gone = try await evaluator.attempt(late, second.half.key)
    XCTAssertEqual(gone, .unknownKey)
    let kept = try await evaluator.attempt(early, first.half.key)
    XCTAssertEqual(try kept.standing.attempts, 1)
  }

  func testTheProofOfAnOpeningIsNoAttempt() async throws {
    let evaluator = try evaluator()
    let wallet = TestWallet()
    let made = try await evaluator.opened(wallet)
    let message = try wallet.message(
      .register, evaluation: made.half.evaluation, blinded: made.blinded)
    let adopted = try await adopt(made, message, wallet.pin, of: wallet, by: evaluator)
    assertAdopted(adopted)
    let proven = try await evaluator.answer(.prove(key: made.half.key, message: message))
    XCTAssertEqual(proven, .refused)
  }

  /// A rotation between the opening and the adoption.
  func testTheReceiptIsSignedByTheKeyThatSignedTheGrant() async throws {
    let secrets = [[UInt8](repeating: 1, count: 32), [UInt8](repeating: 2, count: 32)]
    let former = try XCTUnwrap(EvaluatorKeys(secrets: [secrets[0]]))
    let rotated = try XCTUnwrap(EvaluatorKeys(secrets: secrets.reversed()))
    let wallet = TestWallet()
    let made = try await evaluator(keys: former).opened(wallet)
    let message = try wallet.message(
      .register, evaluation: made.half.evaluation, blinded: made.blinded)
    let answer = try await evaluator(keys: rotated).answer(
      .adopt(
        key: made.half.key,
        adoption: try wallet.adoption(message: message, publicKey: wallet.pin.publicKey)))
    guard case .adopted(let receipt) = answer else { return XCTFail("\(answer)") }
    XCTAssertEqual(try SignedMessage(parsing: receipt).keyID, former.grantKeys[0].id)
  }

  func testTheReceiptNamesTheKeyAndTheCommitmentAndIsSignedAsTheGrant() async throws {
    let evaluator = try evaluator()
    let wallet = TestWallet()
    let made = try await evaluator.opened(wallet)
    let message = try wallet.message(
      .register, evaluation: made.half.evaluation, blinded: made.blinded)
    let grantKey = try XCTUnwrap(Base64URL.decode(evaluator.grantKeys[0].key))
    for _ in 1...2 {
      let adoption = try wallet.adoption(message: message, publicKey: wallet.pin.publicKey)
      let answer = try await evaluator.answer(.adopt(key: made.half.key, adoption: adoption))
      guard case .adopted(let receipt) = answer else { return XCTFail("\(answer)") }
      let content = try SignedMessage(parsing: receipt).content(
        EvaluatorReceipt.self, type: .evaluatorReceipt,
        verifier: XCTUnwrap(PublicKeyVerifier(ed25519: grantKey)))
      let claims = try SignedMessage(parsing: adoption.signature)
        .unverifiedContent(InstructionClaims.self)
      XCTAssertEqual(
        content,
        EvaluatorReceipt(
          key: made.half.key, pinKeyCommitment: try XCTUnwrap(claims.pinKeyCommitment)))
    }
  }
}
