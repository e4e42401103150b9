import Foundation
import TestSupport
import WalletOPRF
import XCTest

/// The answers of RFC 9497 appendix A.1.2 (ristretto255-SHA512, VOPRF mode), and what must fail.
final class ObliviousPRFTests: XCTestCase {
  private struct Answer: Decodable {
    let secretKey, publicKey, input, blind, blinded, evaluated, proof, nonce, output: Hex
  }

  private var answers: [Answer] {
    get throws { try Vectors.load("oprf", as: Answer.self) }
  }

  private func scalar(_ bytes: [UInt8]) throws -> SecretScalar {
    try bytes.withUnsafeBytes { try SecretScalar(serialized: $0) }
  }

  private func output(
    _ input: [UInt8], _ blind: SecretScalar, _ evaluated: GroupElement
  ) throws -> [UInt8] {
    var output = [UInt8](repeating: 0, count: ObliviousPRF.outputLength)
    try input.withUnsafeBytes { input in
      try output.withUnsafeMutableBytes { output in
        try ObliviousPRF.finalize(input, blind: blind, evaluated: evaluated, into: output)
      }
    }
    return output
  }

  func testRFC9497AnswersOfBlindingEvaluationProofAndResult() throws {
    for answer in try answers {
      let key = try scalar(answer.secretKey.bytes)
      let blind = try scalar(answer.blind.bytes)
      let publicKey = try key.publicValue()
      XCTAssertEqual(publicKey.serialized, answer.publicKey.bytes)
      let blinded = try answer.input.bytes.withUnsafeBytes {
        try ObliviousPRF.blinded($0, by: blind)
      }
      XCTAssertEqual(blinded.serialized, answer.blinded.bytes)
      let evaluated = try key.evaluate(blinded)
      XCTAssertEqual(evaluated.serialized, answer.evaluated.bytes)
      let proof = try EvaluationProof(
        key: key, blinded: blinded, evaluated: evaluated, nonce: scalar(answer.nonce.bytes))
      XCTAssertEqual(proof.serialized, answer.proof.bytes)
      XCTAssertTrue(try proof.holds(publicValue: publicKey, blinded: blinded, evaluated: evaluated))
      XCTAssertEqual(
        try output(answer.input.bytes, blind, evaluated), answer.output.bytes)
    }
  }

  func testTwoHalvesOfAKeyGiveTheResultOfTheirProductWhateverTheBlind() throws {
    let evaluator = try SecretScalar.random()
    let provider = try SecretScalar.random()
    let input = Array("the stretched PIN".utf8)
    var results: Set<[UInt8]> = []
    for order in [[evaluator, provider], [provider, evaluator]] {
      let blind = try SecretScalar.random()
      let blinded = try input.withUnsafeBytes { try ObliviousPRF.blinded($0, by: blind) }
      let once = try order[0].evaluate(blinded)
      let proof = try EvaluationProof(key: order[0], blinded: blinded, evaluated: once)
      XCTAssertTrue(
        try proof.holds(publicValue: order[0].publicValue(), blinded: blinded, evaluated: once))
      results.insert(try output(input, blind, try order[1].evaluate(once)))
    }
    XCTAssertEqual(results.count, 1)
    let other = try SecretScalar.random()
    let blinded = try input.withUnsafeBytes { try ObliviousPRF.blinded($0, by: other) }
    results.insert(try output(input, other, try evaluator.evaluate(blinded)))
    XCTAssertEqual(results.count, 2, "one half alone gives another result")
  }

  func testAProofHoldsForItsKeyItsElementsAndItsBytesOnly() throws {
    let key = try SecretScalar.random()
    let foreign = try SecretScalar.random()
    let blinded = try [UInt8](1...6).withUnsafeBytes {
      try ObliviousPRF.blinded($0, by: .random())
    }
    let evaluated = try key.evaluate(blinded)
    let publicKey = try key.publicValue()
    let proof = try EvaluationProof(key: key, blinded: blinded, evaluated: evaluated)
    XCTAssertTrue(try proof.holds(publicValue: publicKey, blinded: blinded, evaluated: evaluated))
    XCTAssertEqual(try EvaluationProof(serialized: proof.serialized), proof)
    XCTAssertFalse(
      try proof.holds(publicValue: foreign.publicValue(), blinded: blinded, evaluated: evaluated))
    XCTAssertFalse(
      try proof.holds(publicValue: publicKey, blinded: evaluated, evaluated: evaluated))
    XCTAssertFalse(
      try proof.holds(
        publicValue: publicKey, blinded: blinded, evaluated: try foreign.evaluate(blinded)))
    // A proof of another multiplication, made with another key, does not hold for this one.
    let lie = try EvaluationProof(
      key: foreign, blinded: blinded, evaluated: try foreign.evaluate(blinded))
    XCTAssertFalse(try lie.holds(publicValue: publicKey, blinded: blinded, evaluated: evaluated))
    for index in 0..<EvaluationProof.length {
      var bytes = proof.serialized
      bytes[index] ^= 1
      guard let changed = try? EvaluationProof(serialized: bytes) else { continue }
      XCTAssertFalse(
        try changed.holds(publicValue: publicKey, blinded: blinded, evaluated: evaluated),
        "\(index)")
    }
  }

  func testBytesThatAreNoElementScalarOrProofAreRefused() throws {
    let zero = [UInt8](repeating: 0, count: 32)
    let ones = [UInt8](repeating: 0xff, count: 32)
    // The order of the group, in little-endian order (RFC 9496 section 4).
    let order: [UInt8] =
      [
        0xed, 0xd3, 0xf5, 0x5c, 0x1a, 0x63, 0x12, 0x58, 0xd6, 0x9c, 0xf7, 0xa2, 0xde, 0xf9, 0xde,
        0x14,
      ] + [UInt8](repeating: 0, count: 15) + [0x10]
    for bytes in [[], zero, ones, Array(order.dropLast()), Array(repeating: 1, count: 33)] {
      XCTAssertThrowsError(try GroupElement(serialized: bytes), "\(bytes.count)")
    }
    for bytes in [[], zero, ones, order, Array(order.dropLast())] {
      XCTAssertThrowsError(try scalar(bytes), "\(bytes.count)")
    }
    for bytes in [zero, ones + zero, zero + order, zero + zero + [0]] {
      XCTAssertThrowsError(try EvaluationProof(serialized: bytes), "\(bytes.count)")
    }
    var last = order
    last[0] -= 1
    XCTAssertNoThrow(try scalar(last), "the order less one is a scalar")
    let long = [UInt8](repeating: 7, count: ObliviousPRF.maximumInputLength + 1)
    XCTAssertThrowsError(
      try long.withUnsafeBytes { try ObliviousPRF.blinded($0, by: .random()) })
    XCTAssertNoThrow(
      try UnsafeRawBufferPointer(start: nil, count: 0).isEmpty
        ? ObliviousPRF.blinded(UnsafeRawBufferPointer(start: nil, count: 0), by: .random()) : nil)
  }

  func testManyScalarsOfManyThreadsKeepTheirBytes() throws {
    // More than one page has places for.
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      for _ in 0..<20 {
        let made = (0..<70).compactMap { _ in try? SecretScalar.random() }
          .map { ($0, $0.withBytes(Array.init)) }
        XCTAssertEqual(made.count, 70)
        for (scalar, bytes) in made { XCTAssertEqual(scalar.withBytes(Array.init), bytes) }
      }
    }
  }

  func testAScalarIsLockedIsNotDumpedAndItsBytesAreZeroOnceItIsReleased() throws {
    let other = try SecretScalar.random()
    var scalar: SecretScalar? = try .random()
    let bytes = try XCTUnwrap(scalar?.withBytes { $0 })
    let distance = try other.withBytes {
      try XCTUnwrap(bytes.baseAddress) - XCTUnwrap($0.baseAddress)
    }
    guard abs(distance) < 64 * ObliviousPRF.scalarLength else {
      return XCTAssertFalse(try MemoryMap.canLock(), "each has a page of its own")
    }
    // The page of both is never freed, so they can still be read.
    XCTAssertFalse(bytes.allSatisfy { $0 == 0 })
    if try MemoryMap.canLock() {
      let address = UInt(bitPattern: try XCTUnwrap(bytes.baseAddress))
      let flags = try MemoryMap.flags(of: address)
      XCTAssertTrue(flags.isSuperset(of: ["lo", "dd"]), "\(flags)")
    }
    scalar = nil
    XCTAssertTrue(bytes.allSatisfy { $0 == 0 })
  }
}
