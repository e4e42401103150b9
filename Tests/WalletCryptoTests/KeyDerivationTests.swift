import WalletCrypto
import XCTest

final class KeyDerivationTests: XCTestCase {
  private func secret(_ byte: UInt8, _ count: Int) throws -> Secret {
    try Secret(copying: [UInt8](repeating: byte, count: count))
  }

  /// By `hashlib.blake2b(b"purpose\\0" + secret, key=key, digest_size=32)` of Python.
  func testTheKnownAnswersOfKeyedBLAKE2b() throws {
    XCTAssertEqual(
      try KeyDerivation.secret(from: secret(1, 64), purpose: "purpose").disclosed(),
      [
        0x91, 0xf6, 0x2d, 0xa2, 0x90, 0x3b, 0x2e, 0xec, 0x11, 0x89, 0x41, 0xe6, 0xac,
        0x55, 0x3d, 0xd2, 0xac, 0x43, 0x3d, 0x08, 0xe8, 0x38, 0x9f, 0x11, 0x15, 0x38,
        0xc9, 0xe0, 0x78, 0xf0, 0xbf, 0x8a,
      ])
    XCTAssertEqual(
      try KeyDerivation.secret(from: secret(2, 16), purpose: "purpose", with: secret(3, 5))
        .disclosed(),
      [
        0x3f, 0xce, 0xe9, 0xc9, 0xb4, 0x12, 0xc9, 0x4d, 0x81, 0xd7, 0x3e, 0xa9, 0x24,
        0x02, 0xa3, 0x7e, 0x36, 0xf5, 0x1f, 0xf7, 0x3c, 0x1d, 0xf6, 0x90, 0x61, 0x9d,
        0x85, 0x55, 0x37, 0xc2, 0x0b, 0xdb,
      ])
  }

  func testKeyPurposeAndSecretAllCount() throws {
    let key = try secret(1, 32)
    let further = try secret(2, 32)
    let all = try [
      KeyDerivation.secret(from: key, purpose: "one"),
      KeyDerivation.secret(from: key, purpose: "two"),
      KeyDerivation.secret(from: key, purpose: "one", with: further),
      KeyDerivation.secret(from: secret(3, 32), purpose: "one"),
      KeyDerivation.secret(from: key, purpose: "one", with: secret(2, 31)),
    ].map { $0.disclosed() }
    XCTAssertEqual(Set(all).count, all.count)
    XCTAssertEqual(Set(all.map(\.count)), [KeyDerivation.length])
    XCTAssertEqual(
      try KeyDerivation.secret(from: key, purpose: "one", with: secret(2, 32)).disclosed(), all[2])
  }

  func testAKeyOfFewerThan16OrMoreThan64BytesIsRefused() throws {
    for count in [0, 15, 65] {
      XCTAssertThrowsError(try KeyDerivation.secret(from: secret(1, count), purpose: "p")) {
        XCTAssertEqual($0 as? CryptoError, .wrongLength, "\(count)")
      }
    }
  }
}
