import WalletCrypto
import XCTest

final class PinKeyTests: XCTestCase {
  private struct Answer: Decodable {
    let pin: String
    let salt, evaluatorHalf, providerHalf, share, wrappingKey, publicKey, message, signature: Hex
    let passes: UInt32
    let memoryBytes: UInt64
  }

  /// From the PIN and its salt to the key and the wrapping of the vault key, as other
  /// implementations compute them. The blind is another one each time.
  func testPinsGiveTheKnownKeys() throws {
    for answer in try Vectors.load("pin_key", as: Answer.self) {
      let stretched = try PinKey.stretch(
        Pin(text: answer.pin), salt: Secret(copying: answer.salt.bytes),
        parameters: PinKey.Parameters(passes: answer.passes, memoryBytes: answer.memoryBytes))
      let halves = try TwoHalves(
        evaluator: answer.evaluatorHalf.bytes, provider: answer.providerHalf.bytes)
      let blinded = try stretched.blinded()
      let secrets = try blinded.secrets(
        halves.evaluation(of: blinded.element), by: halves.values())
      XCTAssertEqual(secrets.key.publicKey, answer.publicKey.bytes)
      XCTAssertEqual(secrets.key.sign(answer.message.bytes), answer.signature.bytes)
      XCTAssertEqual(
        try secrets.wrappingKey(with: Secret(copying: answer.share.bytes)).disclosed(),
        answer.wrappingKey.bytes)
    }
  }

  func testParametersNeverGoBelowTheFloorNorAboveTheCeiling() {
    let weak = PinKey.Parameters(passes: 0, memoryBytes: 0)
    XCTAssertEqual(weak, .floor)
    XCTAssertEqual(weak.passes, 3)
    XCTAssertEqual(weak.memoryBytes, 64 * 1024 * 1024)
    let huge = PinKey.Parameters(passes: .max, memoryBytes: .max)
    XCTAssertEqual(huge, .ceiling)
    XCTAssertEqual(huge.passes, 10)
    XCTAssertEqual(huge.memoryBytes, 256 * 1024 * 1024)
    let between = PinKey.Parameters(passes: 4, memoryBytes: 100_000_000)
    XCTAssertEqual(between.passes, 4)
    XCTAssertEqual(between.memoryBytes, 100_000_000)
  }

  func testStoredParametersAreUsedAsTheyAreWhateverTheBoundsAre() {
    for (passes, memory) in [(1, 8_192), (20, 512 * 1024 * 1024)] as [(UInt32, UInt64)] {
      let stored = PinKey.Parameters(storedPasses: passes, storedMemoryBytes: memory)
      XCTAssertEqual(stored.passes, passes)
      XCTAssertEqual(stored.memoryBytes, memory)
    }
  }

  func testRaisingNeverLowersAnything() {
    let more = PinKey.Parameters(passes: 5, memoryBytes: 70 * 1024 * 1024)
    XCTAssertEqual(PinKey.Parameters.floor.raised(to: more), more)
    XCTAssertEqual(more.raised(to: .floor), more)
    let mixed = PinKey.Parameters(passes: 4, memoryBytes: 80 * 1024 * 1024)
    XCTAssertEqual(
      more.raised(to: mixed), PinKey.Parameters(passes: 5, memoryBytes: 80 * 1024 * 1024))
  }

  func testASaltOfAnotherLengthIsRefused() throws {
    let pin = try Pin(text: "135246")
    for count in [0, 15, 17] {
      XCTAssertThrowsError(
        try PinKey.stretch(pin, salt: .random(count: count), parameters: .floor)
      ) { XCTAssertEqual($0 as? CryptoError, .wrongLength) }
    }
  }

  func testInputThatIsNobodysPinIsRefused() throws {
    XCTAssertEqual(try Pin(text: String(repeating: "1", count: 64)).secret.count, 64)
    XCTAssertThrowsError(try Pin(text: String(repeating: "1", count: 65))) {
      XCTAssertEqual($0 as? CryptoError, .wrongLength)
    }
  }

  func testAnEmptyPinIsAValueLikeAnyOther() throws {
    let salt = try Secret.random(count: PinKey.saltLength)
    let stretched = try PinKey.stretch(Pin(text: ""), salt: salt, parameters: .floor)
    XCTAssertEqual(try stretched.blinded().element.count, 32)
  }
}
