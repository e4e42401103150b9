import TestSupport
import WalletCrypto
import WalletProtocol
import XCTest

/// Whatever comes in: a refusal or what was issued, never a trap.
final class SDJWTMutationTests: XCTestCase {
  /// Says yes to every signature, so that what lies behind it is reached.
  private struct Gullible: Verifier {
    let algorithm: SignatureAlgorithm
    func isValid(signature: [UInt8], for message: [UInt8]) -> Bool { true }
  }

  private func mutate(_ bytes: inout [UInt8], _ random: inout SeededGenerator) {
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      let index = Int.random(in: 0..<max(bytes.count, 1), using: &random)
      switch Int.random(in: 0..<6, using: &random) {
      case 0 where index < bytes.count: bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      case 1 where index < bytes.count: bytes.remove(at: index)
      case 2: bytes.insert(UInt8.random(in: 0...255, using: &random), at: min(index, bytes.count))
      case 3:
        bytes.insert(
          Array("~.{}[]\",:\\0-".utf8).randomElement(using: &random) ?? 0,
          at: min(index, bytes.count))
      case 4:
        let end = Int.random(in: index...max(index, bytes.count), using: &random)
        bytes.insert(
          contentsOf: Array(bytes[min(index, bytes.count)..<end].prefix(40)),
          at: min(index, bytes.count))
      default: bytes.removeLast(min(bytes.count, Int.random(in: 0...40, using: &random)))
      }
    }
  }

  func testEveryTruncationIsRefused() throws {
    let parties = try SDJWTParties()
    let presentation = Array(try parties.present().utf8)
    for count in presentation.indices {
      let text = String(decoding: presentation.prefix(count), as: UTF8.self)
      XCTAssertThrowsError(try parties.check(text))
      XCTAssertThrowsError(try parties.check(String(text.reversed())))
    }
    XCTAssertNoThrow(try parties.check(String(decoding: presentation, as: UTF8.self)))
  }

  func testMutatedPresentationsAreNeverAccepted() throws {
    let parties = try SDJWTParties()
    let good = Array(try parties.present().utf8)
    var random = SeededGenerator(seed: 1)
    for _ in 0..<3000 {
      var bytes = good
      mutate(&bytes, &random)
      guard bytes != good else { continue }
      XCTAssertThrowsError(try parties.check(String(decoding: bytes, as: UTF8.self)))
    }
  }

  func testMutatedContentBehindSignaturesNeverTraps() throws {
    let parties = try SDJWTParties()
    let parts = try parties.present().split(separator: "~").map(String.init)
    let texts = parts.map { $0.split(separator: ".").compactMap { Base64URL.decode($0) } }
    var random = SeededGenerator(seed: 2)
    var accepted = 0
    for _ in 0..<3000 {
      var changed = texts
      let part = Int.random(in: 0..<changed.count, using: &random)
      let section = Int.random(in: 0..<changed[part].count, using: &random)
      mutate(&changed[part][section], &random)
      let text = changed.map { $0.map { Base64URL.encode($0) }.joined(separator: ".") }
        .joined(separator: "~")
      let verified = try? SDJWT(parsing: text).verifyPresentation(
        SDJWTParties.expectation(),
        keyBinding: KeyBindingExpectation(
          audience: SDJWTParties.audience, nonce: SDJWTParties.nonce),
        verifier: Gullible(algorithm: .edDSA),
        holderVerifier: { Gullible(algorithm: $0.algorithm) }, sha256: Hash.sha256)
      if verified != nil { accepted += 1 }
    }
    // Changed signatures pass a verifier that says yes; changed digests and hashes do not.
    XCTAssertLessThan(accepted, 1500)
  }

  func testMutatedJSONNeverTrapsAndSurvivesWhereItIsRead() throws {
    let json = #"{"a":[1,-20,{"b":"x\u00e9\ud83d\ude00\n"}],"c":null,"d":{"e":true,"f":"ü😀"}}"#
    var random = SeededGenerator(seed: 3)
    for _ in 0..<20_000 {
      var bytes = Array(json.utf8)
      mutate(&bytes, &random)
      guard let value = try? JSONValue(parsing: bytes) else { continue }
      XCTAssertEqual(try JSONValue(parsing: value.encoded), value)
    }
    for _ in 0..<5000 {
      let count = Int.random(in: 0..<40, using: &random)
      let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
      _ = try? JSONValue(parsing: bytes)
    }
  }
}
