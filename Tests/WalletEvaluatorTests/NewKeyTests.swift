import ServerTestSupport
import WalletProtocol
import WalletSignatures
import XCTest

@testable import WalletEvaluator

/// The PIN key of a new PIN.
final class NewKeyTests: EvaluatorTestCase {
  private let newPin = TestPinKey()

  /// Begins a change of the PIN.
  private func begunChange(
    _ evaluator: Evaluator, _ wallet: TestWallet, _ key: String, signer: TestPinKey? = nil
  ) async throws -> TestWallet.Made {
    let made = try await evaluator.begun(wallet, key)
    let blinded = try TestWallet.blinded()
    let answer = try await evaluator.proven(wallet, made, newBlinded: blinded, signer: signer)
    return TestWallet.Made(blinded: blinded, half: try answer.next)
  }

  private func adopt(
    _ evaluator: Evaluator, _ wallet: TestWallet, _ made: TestWallet.Made
  ) async throws -> EvaluatorAnswer {
    try await evaluator.answer(
      .adopt(
        key: made.half.key,
        adoption: try wallet.change(to: newPin, made)))
  }

  func testANewKeyIsMadeByAProofOfTheOldOneAndEvaluatedOnce() async throws {
    let evaluator = try evaluator()
    let wallet = TestWallet()
    let key = try await evaluator.adopted(wallet)
    let attempt = try await evaluator.begun(wallet, key)
    let stolen = try await evaluator.proven(
      wallet, attempt, newBlinded: try TestWallet.blinded(), signer: newPin)
    XCTAssertEqual(stolen, .refused)
    let blinded = try TestWallet.blinded()
    let first = try await evaluator.proven(wallet, attempt, newBlinded: blinded)
    let again = try await evaluator.proven(wallet, attempt, newBlinded: blinded)
    XCTAssertEqual(first.evaluationID, again.evaluationID)
    let grant = try SignedMessage(parsing: XCTUnwrap(try first.next.grant))
      .unverifiedContent(EvaluatorGrant.self)
    XCTAssertEqual(grant.replaces, key)
    XCTAssertEqual(grant.key, try first.next.key)
    let new = try first.next.key
    XCTAssertNotEqual(new, key)
    let early = try await evaluator.attempt(wallet, new)
    XCTAssertEqual(early, .refused)
    let committed = try await evaluator.answer(.commit(key: new))
    XCTAssertEqual(committed, .refused)
  }

  func testANewKeyIsAdoptedByItsOwnProof() async throws {
    let evaluator = try evaluator()
    let wallet = TestWallet()
    let made = try await begunChange(evaluator, wallet, try await evaluator.adopted(wallet))
    var other = made
    other.blinded = try TestWallet.blinded()
    let proofs = [
      try wallet.newKeyProof(made, by: wallet.pin), try wallet.newKeyProof(other, by: newPin),
      try wallet.newKeyProof(made, by: newPin, challenge: "another"),
      try wallet.message(
        .preparePinChange, evaluation: made.half.evaluation, blinded: made.blinded, signer: newPin),
    ]
    for proof in proofs {
      let answer = try await evaluator.answer(
        .adopt(
          key: made.half.key, adoption: try wallet.change(to: newPin, made, proof: proof)))
      XCTAssertEqual(answer, .refused)
    }
    for _ in 1...2 {
      let answer = try await adopt(evaluator, wallet, made)
      assertAdopted(answer)
    }
  }

  /// With the hardware key alone, somebody could otherwise begin the count anew as often as he likes.
  func testOnlyTheKeyInForceSaysWhichOneTakesItsPlace() async throws {
    let evaluator = try evaluator()
    let wallet = TestWallet()
    let key = try await evaluator.adopted(wallet)
    let made = try await begunChange(evaluator, wallet, key)
    let thief = TestPinKey()
    let owners = try wallet.change(to: newPin, made)
    func changed(_ change: (inout PinKeyAdoption) -> Void) throws -> PinKeyAdoption {
      var adoption = try wallet.change(to: thief, made)
      change(&adoption)
      return adoption
    }
    let proof = try wallet.newKeyProof(made, by: thief)
    let refused = [
      try wallet.change(to: thief, made, signer: thief),
      try wallet.change(to: thief, made, publicKey: newPin.publicKey),
      try wallet.change(to: thief, made, payload: [1]),
      try wallet.change(to: thief, made, instruction: .checkPin),
      try wallet.change(to: thief, made, type: .newPinKeyProof),
      try wallet.change(to: thief, made, hardwareKey: TestHardwareKey.makeP256().der),
      try wallet.change(to: thief, made, audience: "other"),
      try wallet.change(to: thief, made, challenge: "another"),
      try wallet.change(to: thief, made, challenge: nil),
      // What the owner signed for another key.
      try changed {
        $0.message = owners.message
        $0.payload = owners.payload
      },
      try changed { $0.message = owners.message },
      try changed { $0.payload = nil },
      // A registration, or only the proof.
      try wallet.adoption(.preparePinChange, message: proof, publicKey: thief.publicKey),
      try wallet.adoption(message: proof, publicKey: thief.publicKey),
    ]
    for (number, adoption) in refused.enumerated() {
      let answer = try await evaluator.answer(.adopt(key: made.half.key, adoption: adoption))
      XCTAssertEqual(answer, .refused, "\(number)")
    }
    let early = try await evaluator.attempt(wallet, made.half.key)
    XCTAssertEqual(early, .refused)
    let adopted = try await evaluator.answer(.adopt(key: made.half.key, adoption: owners))
    assertAdopted(adopted)
  }

  func testEachKeyOfTheEvaluatorSignsTheGrantOfAChange() async throws {
    let secrets = [[UInt8](repeating: 1, count: 32), [UInt8](repeating: 2, count: 32)]
    let former = try XCTUnwrap(EvaluatorKeys(secrets: [secrets[0]]))
    let wallet = TestWallet()
    let key = try await evaluator(keys: former).adopted(wallet)
    let alone = try await begunChange(try evaluator(keys: former), wallet, key)
    XCTAssertNil(alone.half.otherGrants)

    let rotated = try XCTUnwrap(EvaluatorKeys(secrets: secrets.reversed()))
    let opened = try await evaluator(keys: rotated).opened(TestWallet())
    XCTAssertNil(opened.half.otherGrants, "nothing to compare with")
    let made = try await begunChange(try evaluator(keys: rotated), wallet, key)
    let other = try XCTUnwrap(made.half.otherGrants?.first)
    XCTAssertEqual(made.half.otherGrants?.count, 1)
    func content(_ compact: String?, _ signer: PublishedKey) throws -> EvaluatorGrant {
      let bytes = try XCTUnwrap(Base64URL.decode(signer.key))
      return try SignedMessage(parsing: XCTUnwrap(compact)).content(
        EvaluatorGrant.self, type: .evaluatorGrant,
        verifier: XCTUnwrap(PublicKeyVerifier(ed25519: bytes)))
    }
    XCTAssertEqual(
      try content(other, former.grantKeys[0]), try content(made.half.grant, rotated.grantKeys[0]))
  }

  func testANewKeyIsAdoptedWithinAnHour() async throws {
    let evaluator = try evaluator()
    let wallet = TestWallet()
    let key = try await evaluator.adopted(wallet)
    let late = try await begunChange(evaluator, wallet, key)
    clock.advance(Evaluator.adoptionLife)
    let refused = try await adopt(evaluator, wallet, late)
    XCTAssertEqual(refused, .unknownKey)
    let made = try await begunChange(evaluator, wallet, key)
    clock.advance(Evaluator.adoptionLife - 1)
    let adopted = try await adopt(evaluator, wallet, made)
    assertAdopted(adopted)
    clock.advance(1)
    let again = try await adopt(evaluator, wallet, made)
    assertAdopted(again)
  }

  func testBothKeysShareOneCount() async throws {
    let evaluator = try evaluator()
    let wallet = TestWallet()
    let key = try await evaluator.adopted(wallet)
    let made = try await begunChange(evaluator, wallet, key)
    let adopted = try await adopt(evaluator, wallet, made)
    assertAdopted(adopted)
    for (number, key) in [key, made.half.key, key].enumerated() {
      let answer = try await evaluator.attempt(wallet, key)
      XCTAssertEqual(try answer.standing.attempts, UInt64(number + 1))
    }
    let fourth = try await evaluator.begun(wallet, made.half.key)
    for key in [key, made.half.key] {
      let blocked = try await evaluator.attempt(wallet, key)
      XCTAssertEqual(try blocked.standing.blockedMilliseconds, 60_000)
    }
    // The old key proves no evaluation by the new one.
    let mixed = try await evaluator.proven(wallet, fourth)
    XCTAssertEqual(mixed, .refused)
  }

  func testTheProofOfTheNewPinGivesTheFormerOneUp() async throws {
    let evaluator = try evaluator()
    let wallet = TestWallet()
    let key = try await evaluator.adopted(wallet)
    let made = try await begunChange(evaluator, wallet, key)
    let adopted = try await adopt(evaluator, wallet, made)
    assertAdopted(adopted)
    let attempt = try await evaluator.begun(wallet, made.half.key)
    let right = try await evaluator.proven(wallet, attempt, signer: newPin)
    XCTAssertEqual(try right.standing.attempts, 0)
    let former = try await evaluator.attempt(wallet, key)
    XCTAssertEqual(former, .unknownKey)
    let committed = try await evaluator.answer(.commit(key: made.half.key))
    XCTAssertEqual(committed, .done)
  }

  func testACommitPutsTheNewKeyInThePlaceOfTheFormer() async throws {
    let evaluator = try evaluator()
    let wallet = TestWallet()
    let key = try await evaluator.adopted(wallet)
    let made = try await begunChange(evaluator, wallet, key)
    let adopted = try await adopt(evaluator, wallet, made)
    assertAdopted(adopted)
    for _ in 1...2 {
      let committed = try await evaluator.answer(.commit(key: made.half.key))
      XCTAssertEqual(committed, .done)
    }
    let former = try await evaluator.attempt(wallet, key)
    XCTAssertEqual(former, .unknownKey)
    let cancelled = try await evaluator.answer(.cancel(key: made.half.key))
    XCTAssertEqual(cancelled, .refused)
    let next = try await evaluator.attempt(wallet, made.half.key)
    XCTAssertEqual(try next.standing.attempts, 1)
  }

  func testACancelledKeyIsUnknown() async throws {
    let evaluator = try evaluator()
    let wallet = TestWallet()
    let key = try await evaluator.adopted(wallet)
    let made = try await begunChange(evaluator, wallet, key)
    let adopted = try await adopt(evaluator, wallet, made)
    assertAdopted(adopted)
    for _ in 1...2 {
      let cancelled = try await evaluator.answer(.cancel(key: made.half.key))
      XCTAssertEqual(cancelled, .done)
    }
    let attempt = try await evaluator.attempt(wallet, made.half.key)
    XCTAssertEqual(attempt, .unknownKey)
    let adoption = try await adopt(evaluator, wallet, made)
    XCTAssertEqual(adoption, .unknownKey)
    let old = try await evaluator.attempt(wallet, key)
    XCTAssertEqual(try old.standing.attempts, 1)
  }

  func testAnotherChangeTakesThePlaceOfTheFirst() async throws {
    let evaluator = try evaluator()
    let wallet = TestWallet()
    let key = try await evaluator.adopted(wallet)
    let first = try await begunChange(evaluator, wallet, key)
    let second = try await begunChange(evaluator, wallet, key)
    let stale = try await adopt(evaluator, wallet, first)
    XCTAssertEqual(stale, .unknownKey)
    let adopted = try await adopt(evaluator, wallet, second)
    assertAdopted(adopted)
  }
}

extension EvaluatorAnswer {
  fileprivate var evaluationID: String? { try? next.evaluation }
}
