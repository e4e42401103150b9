import WalletCrypto
import WalletOPRF
import XCTest

/// What a PIN becomes depends on the PIN, its salt and both halves of the key, and only on them. An
/// evaluation that is not by these halves gives nothing.
final class PinEvaluationTests: XCTestCase {
  private let share = Result { try Secret.random(count: 32) }
  /// The same salt for all PINs, so that they differ in nothing else.
  private let salt = Result { try Secret.random(count: PinKey.saltLength) }

  private func stretched(_ pin: String) throws -> StretchedPin {
    try PinKey.stretch(Pin(text: pin), salt: salt.get(), parameters: .floor)
  }

  /// The public key and the wrapping key of a PIN, after one evaluation with a blind of its own.
  private func results(
    of pin: StretchedPin, by halves: TwoHalves
  ) throws -> (key: [UInt8], wrapping: [UInt8]) {
    let blinded = try pin.blinded()
    let secrets = try blinded.secrets(halves.evaluation(of: blinded.element), by: halves.values())
    return (secrets.key.publicKey, try secrets.wrappingKey(with: share.get()).disclosed())
  }

  private func assertRefused(
    _ evaluation: PinEvaluationElements, of blinded: BlindedPin, by values: PinKeyValues,
    _ message: String, line: UInt = #line
  ) {
    XCTAssertThrowsError(try blinded.secrets(evaluation, by: values), message, line: line) {
      XCTAssertEqual($0 as? CryptoError, .notAuthentic, message, line: line)
    }
  }

  func testTwoEvaluationsOfOnePinWithOtherBlindsGiveTheSameKeys() throws {
    let pin = try stretched("135246")
    let halves = try TwoHalves()
    XCTAssertNotEqual(try pin.blinded().element, try pin.blinded().element)
    let first = try results(of: pin, by: halves)
    let second = try results(of: pin, by: halves)
    XCTAssertEqual(first.key, second.key)
    XCTAssertEqual(first.wrapping, second.wrapping)
    XCTAssertNotEqual(first.key, first.wrapping)
  }

  func testAnotherPinOrAnotherHalfGivesOtherKeys() throws {
    let halves = try TwoHalves()
    let pin = try stretched("135246")
    let other = try TwoHalves()
    let all = try [
      results(of: pin, by: halves), results(of: stretched("135247"), by: halves),
      results(of: pin, by: TwoHalves(halves.evaluator, other.provider)),
      results(of: pin, by: TwoHalves(other.evaluator, halves.provider)),
    ]
    XCTAssertEqual(Set(all.map(\.key)).count, all.count)
    XCTAssertEqual(Set(all.map(\.wrapping)).count, all.count)
  }

  func testTheWrappingKeyDependsOnTheShare() throws {
    let halves = try TwoHalves()
    let blinded = try stretched("135246").blinded()
    let secrets = try blinded.secrets(halves.evaluation(of: blinded.element), by: halves.values())
    let keys = try [share.get(), share.get(), .random(count: 32)].map {
      try secrets.wrappingKey(with: $0).disclosed()
    }
    XCTAssertEqual(keys[0], keys[1])
    XCTAssertNotEqual(keys[0], keys[2])
  }

  func testAWrongProofOfEitherHalfIsRefused() throws {
    let halves = try TwoHalves()
    let blinded = try stretched("135246").blinded()
    let evaluation = try halves.evaluation(of: blinded.element)
    XCTAssertNoThrow(try blinded.secrets(evaluation, by: halves.values()))
    let paths: [(String, WritableKeyPath<PinEvaluationElements, [UInt8]>)] = [
      ("half", \.half), ("its proof", \.halfProof), ("element", \.element), ("proof", \.proof),
    ]
    // Of another evaluation, by other halves, and of the same halves for another blinded PIN.
    let others = try [
      TwoHalves().evaluation(of: blinded.element),
      halves.evaluation(of: stretched("135247").blinded().element),
    ]
    for (name, path) in paths {
      for other in others {
        var changed = evaluation
        changed[keyPath: path] = other[keyPath: path]
        assertRefused(changed, of: blinded, by: try halves.values(), "another \(name)")
      }
      for index in evaluation[keyPath: path].indices {
        var changed = evaluation
        changed[keyPath: path][index] ^= 1
        assertRefused(changed, of: blinded, by: try halves.values(), "\(name), byte \(index)")
      }
      let zeros = [UInt8](repeating: 0, count: evaluation[keyPath: path].count)
      for bytes in [[], zeros, Array(evaluation[keyPath: path].dropLast())] {
        var changed = evaluation
        changed[keyPath: path] = bytes
        assertRefused(
          changed, of: blinded, by: try halves.values(), "\(name), \(bytes.count) bytes")
      }
    }
    for other in others {
      assertRefused(other, of: blinded, by: try halves.values(), "the whole of another evaluation")
    }
  }

  func testEvaluatorAndProviderCannotTakeEachOthersPlace() throws {
    let halves = try TwoHalves()
    let swapped = TwoHalves(halves.provider, halves.evaluator)
    let blinded = try stretched("135246").blinded()
    // The product of the halves is the same; each proof names the half that it is for.
    assertRefused(
      try swapped.evaluation(of: blinded.element), of: blinded, by: try halves.values(),
      "halves in the other order")
    let evaluation = try halves.evaluation(of: blinded.element)
    assertRefused(
      evaluation, of: blinded, by: try swapped.values(), "public values in the other order")
    assertRefused(
      PinEvaluationElements(
        half: evaluation.element, halfProof: evaluation.proof, element: evaluation.half,
        proof: evaluation.halfProof), of: blinded, by: try halves.values(), "parts changed round")
  }

  func testAnEvaluationOfAnotherBlindIsRefusedAlthoughThePinIsTheSame() throws {
    let halves = try TwoHalves()
    let pin = try stretched("135246")
    let earlier = try halves.evaluation(of: pin.blinded().element)
    assertRefused(earlier, of: try pin.blinded(), by: try halves.values(), "an earlier evaluation")
  }

  func testPublicValuesThatAreNoGroupElementsAreRefused() throws {
    let halves = try TwoHalves()
    let blinded = try stretched("135246").blinded()
    let evaluation = try halves.evaluation(of: blinded.element)
    for bytes in [[], [UInt8](repeating: 0, count: 32), [UInt8](repeating: 0xff, count: 32)] {
      for path in [\PinKeyValues.evaluator, \.provider] {
        var values = try halves.values()
        values[keyPath: path] = bytes
        assertRefused(evaluation, of: blinded, by: values, "\(bytes.count) bytes")
      }
    }
  }
}

extension TwoHalves {
  fileprivate init(_ evaluator: SecretScalar, _ provider: SecretScalar) {
    self.evaluator = evaluator
    self.provider = provider
  }
}
