import Foundation
import TestSupport
import WalletCrypto
import XCTest

final class SecretTests: XCTestCase {
  func testSecretsAreEqualByContent() throws {
    let secret = try Secret(text: "135246")
    XCTAssertTrue(secret.isEqual(to: try Secret(text: "135246")))
    for other in ["135247", "035246", "13524", "1352466", ""] {
      XCTAssertFalse(secret.isEqual(to: try Secret(text: other)), other)
    }
    XCTAssertTrue(try Secret(text: "").isEqual(to: Secret(text: "")))
  }

  func testASecretNeverDescribesItsContent() throws {
    let secret = try Secret(text: "135246")
    XCTAssertEqual("\(secret)", "Secret(6 bytes)")
    XCTAssertEqual(String(reflecting: secret).contains("135246"), false)
    var dumped = ""
    dump(try Pin(text: "135246"), to: &dumped)
    XCTAssertFalse(dumped.contains("135246"))
  }

  func testUnfilledBytesAreZeroAndFilledOnesStay() throws {
    let secret = try Secret(count: 4) { $0[1] = 7 }
    XCTAssertEqual(secret.disclosed(), [0, 7, 0, 0])
    XCTAssertEqual(secret.withBytes { $0.count }, 4)
    XCTAssertEqual(try Secret(copying: []).disclosed(), [])
  }

  func testASecretOfAnyLengthCanOnlyBeReadAndEndsWhereNobodyMayRead() throws {
    for count in [1, 32, 2048, 4079, 4080, 4081, 100_000] {
      for _ in 0..<2 {  // the second time in a block that was used before
        let secret = try Secret.random(count: count)
        let (inside, behind) = try secret.withBytes { bytes in
          let start = UInt(bitPattern: bytes.baseAddress)
          return (
            try MemoryMap.protection(of: start), try MemoryMap.protection(of: start + UInt(count))
          )
        }
        XCTAssertEqual(inside, "r--p", "\(count) bytes")
        XCTAssertEqual(behind, "---p", "\(count) bytes")
      }
    }
  }

  func testSecretsThatComeAndGoKeepTheirOwnContent() throws {
    var secrets: [(byte: UInt8, secret: Secret)] = []
    for turn in 0..<200 {
      let byte = UInt8(turn)
      let count = turn % 3 == 0 ? 5000 : 16 + turn
      let bytes = [UInt8](repeating: byte, count: count)
      secrets.append((byte, try Secret(copying: bytes)))
      if turn % 5 == 4 { secrets.removeFirst(3) }
      for (byte, secret) in secrets {
        XCTAssertTrue(secret.withBytes { $0.allSatisfy { $0 == byte } }, "turn \(turn)")
      }
    }
  }

  func testAFailureWhileFillingIsPassedOn() {
    struct Refused: Error {}
    XCTAssertThrowsError(try Secret(count: 4) { _ in throw Refused() }) {
      XCTAssertTrue($0 is Refused)
    }
  }

  func testAnImpossibleLengthIsAnErrorNotATrap() {
    for count in [-1, Int.max] {
      XCTAssertThrowsError(try Secret(count: count) { _ in }) {
        XCTAssertEqual($0 as? CryptoError, .outOfMemory)
      }
    }
  }

  func testAWipedAndAReleasedSecretLeaveZeros() throws {
    let wiped = try Secret(copying: [1, 2, 3])
    wiped.wipe()
    XCTAssertEqual(wiped.disclosed(), [0, 0, 0])

    var released: Secret? = try Secret(copying: [1, 2, 3])
    let address = try XCTUnwrap(released?.withBytes { UInt(bitPattern: $0.baseAddress) })
    released = nil
    // Its memory is kept for the next secret; where it cannot be locked, it is gone.
    guard try MemoryMap.protection(of: address) == "rw-p" else { return }
    let left = UnsafeRawBufferPointer(start: UnsafeRawPointer(bitPattern: address), count: 3)
    XCTAssertEqual(Array(left), [0, 0, 0])
  }

  func testWipedMemoryIsZero() {
    var bytes: [UInt8] = [1, 2, 3]
    bytes.withUnsafeMutableBytes { Memory.wipe($0) }
    XCTAssertEqual(bytes, [0, 0, 0])
    Memory.wipe(UnsafeMutableRawBufferPointer(start: nil, count: 0))
  }

  func testRandomBytesDiffer() throws {
    XCTAssertEqual(Random.bytes(0), [])
    XCTAssertEqual(Random.bytes(-1), [])
    XCTAssertNotEqual(Random.bytes(32), Random.bytes(32))
    XCTAssertFalse(try Secret.random(count: 32).isEqual(to: Secret.random(count: 32)))
  }

  func testSHA256OfTheStandardsExample() {
    let hex = Hash.sha256(Array("abc".utf8)).map { String($0, radix: 16) }.joined(separator: " ")
    XCTAssertEqual(
      hex,
      "ba 78 16 bf 8f 1 cf ea 41 41 40 de 5d ae 22 23 b0 3 61 a3 96 17 7a 9c b4 10 ff 61 f2 0 15 ad"
    )
  }
}
