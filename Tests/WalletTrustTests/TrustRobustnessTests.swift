import Crypto
import SwiftASN1
import WalletTrust
import X509
import XCTest

/// What comes from outside is refused or trusted, and never ends the process.
final class TrustRobustnessTests: XCTestCase {
  func testEachChangedByteIsRefused() throws {
    let pki = try TestPKI()
    let chain = try pki.chain
    let anchors = try TrustAnchors([pki.anchor()])
    for position in chain.indices {
      for byte in chain[position].indices {
        for change: UInt8 in [1, 0x80, 0xFF, 1 << UInt8(byte % 8)] {
          var changed = chain
          changed[position][byte] ^= change
          XCTAssertThrowsError(
            try anchors.judge(chain: changed, role: .relyingParty, now: TestPKI.now),
            "\(position) \(byte) \(change)")
        }
      }
    }
  }

  func testEachBeginningAndEachTrailingByteIsRefused() throws {
    let pki = try TestPKI()
    let chain = try pki.chain
    let anchors = try TrustAnchors([pki.anchor()])
    for count in chain[0].indices {
      assertThrows(.certificateMalformed) {
        try anchors.judge(
          chain: [Array(chain[0].prefix(count)), chain[1]], role: .relyingParty, now: TestPKI.now)
      }
    }
    assertThrows(.certificateMalformed) {
      try anchors.judge(
        chain: [chain[0] + [0], chain[1]], role: .relyingParty, now: TestPKI.now)
    }
  }

  /// An authority that signs anything: its changes pass the check of the signature.
  func testChangedCertificatesThatAreSignedEndNothing() throws {
    let key = P256.Signing.PrivateKey()
    var pki = try TestPKI()
    pki.middle.key = Certificate.PrivateKey(key)
    var hosts = NameConstraints()
    hosts.permittedSubtrees = [.dnsName("shop.example")]
    pki.root.nameConstraints = hosts
    pki.leaf.purposes = try ExtendedKeyUsage([.clientAuth])
    let leaf = try pki.leaf.signed(by: pki.middle)
    let middle = try TestPKI.der(pki.middle.signed(by: pki.root))
    let anchors = try TrustAnchors([pki.anchor()])
    let content = Array(leaf.tbsCertificateBytes)
    var trusted = 0
    for byte in content.indices {
      for change: UInt8 in [1, 2, 0x80, 0xFF] {
        var changed = content
        changed[byte] ^= change
        let chain = [try signed(changed, by: key), middle]
        if (try? anchors.judge(chain: chain, role: .relyingParty, now: TestPKI.now)) != nil {
          trusted += 1
        }
      }
    }
    // A serial number, for example, may be any.
    XCTAssertGreaterThan(trusted, 0)
    XCTAssertLessThan(trusted, content.count * 3)
  }

  private func signed(_ content: [UInt8], by key: P256.Signing.PrivateKey) throws -> [UInt8] {
    try certificate(content, signature: Array(key.signature(for: content).derRepresentation))
  }

  private func certificate(_ content: [UInt8], signature: [UInt8]) throws -> [UInt8] {
    var serializer = DER.Serializer()
    try serializer.appendConstructedNode(identifier: .sequence) { coder in
      coder.serializeRawBytes(content)
      // ecdsa-with-SHA256.
      coder.serializeRawBytes([
        0x30, 0x0A, 0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x04, 0x03, 0x02,
      ])
      try coder.serialize(ASN1BitString(bytes: signature[...]))
    }
    return serializer.serializedBytes
  }

  func testSignaturesOfOddShapesAreRefused() throws {
    let pki = try TestPKI()
    let chain = try pki.chain
    let content = Array(try pki.leaf.signed(by: pki.middle).tbsCertificateBytes)
    let long = [0x02, 0x40] + [UInt8](repeating: 0x7F, count: 64)
    for signature: [UInt8] in [
      [], [0x30, 0x00], [0x30, 0x03, 0x02, 0x01, 0x01], [0x30, 0x06, 2, 1, 0, 2, 1, 0],
      [0x30, 0x06, 2, 1, 0x81, 2, 1, 0x81], [0x30, 0x81, 0x84] + long + long,
      [0x30, 0x04, 2, 0, 2, 0], [UInt8](repeating: 1, count: 64),
    ] {
      XCTAssertThrowsError(
        try pki.judge([certificate(content, signature: signature), chain[1]]), "\(signature)")
    }
  }

  func testExtensionsOfOddContentAreRefused() throws {
    let identifiers: [ASN1ObjectIdentifier] = [
      .X509ExtensionID.basicConstraints, .X509ExtensionID.keyUsage,
      .X509ExtensionID.subjectKeyIdentifier, .X509ExtensionID.authorityKeyIdentifier,
      .X509ExtensionID.subjectAlternativeName, .X509ExtensionID.extendedKeyUsage,
      .X509ExtensionID.nameConstraints,
    ]
    let values: [[UInt8]] = [
      [], [0x30], [0x05, 0x00], [0x03, 0x00], [0x03, 0x01, 0x07], [0x03, 0x01, 0x08],
      [0x03, 0x02, 0x08, 0x80], [0x03, 0x02, 0x07, 0xFF], [0x03, 0x03, 0x07, 0x00, 0x00],
      [0x03, 0x04, 0x00, 0x01, 0x01, 0x01], [0x30, 0x80, 0x00, 0x00], [0x30, 0x84, 0xFF, 0xFF],
      [0x30, 0x03, 0x02, 0x01, 0xFF], [0x30, 0x06, 0x01, 0x01, 0xFF, 0x02, 0x01, 0xFF],
      [0x30, 0x0E, 0x01, 0x01, 0xFF, 0x02, 0x09] + [UInt8](repeating: 0x7F, count: 9),
      [0x30, 0x03, 0x01, 0x01, 0x01], [0xFF, 0xFF, 0xFF], [UInt8](repeating: 0x30, count: 200),
      [0x30, 0x03, 0x82, 0x01, 0xFF], [0x30, 0x04, 0x87, 0x02, 1, 2], [0x30, 0x02, 0xA4, 0x00],
      [0x30, 0x04, 0xA0, 0x02, 0x30, 0x00], [0x30, 0x03, 0x06, 0x01, 0x80],
    ]
    for identifier in identifiers {
      for value in values {
        for critical in [true, false] {
          var pki = try TestPKI()
          pki.leaf.others = [.init(oid: identifier, critical: critical, value: value[...])]
          switch identifier {
          case .X509ExtensionID.basicConstraints: pki.leaf.constraints = nil
          case .X509ExtensionID.keyUsage: pki.leaf.usage = nil
          case .X509ExtensionID.subjectKeyIdentifier: pki.leaf.subjectKey = nil
          case .X509ExtensionID.authorityKeyIdentifier: pki.leaf.authorityKey = nil
          case .X509ExtensionID.subjectAlternativeName: pki.leaf.names = []
          default: break
          }
          // An address of two bytes is read, because nothing here compares addresses.
          if identifier == .X509ExtensionID.subjectAlternativeName, value.starts(with: [0x30, 4]) {
            _ = try? pki.judge()
          } else {
            XCTAssertThrowsError(try pki.judge(), "\(identifier) \(value)")
          }
        }
      }
    }
  }

  func testNamesOfOddFormsEndNothing() throws {
    func attribute(_ tag: UInt8, _ bytes: [UInt8]) throws -> RelativeDistinguishedName.Attribute {
      RelativeDistinguishedName.Attribute(
        type: .RDNAttributeType.organizationName,
        value: try ASN1Any(derEncoded: [tag, UInt8(truncatingIfNeeded: bytes.count)] + bytes))
    }
    // UTF8String, PrintableString, IA5String, TeletexString, BMPString, INTEGER and SET.
    for tag: UInt8 in [0x0C, 0x13, 0x16, 0x14, 0x1E, 0x02, 0x31] {
      for bytes: [UInt8] in [[0xFF], [0xC0, 0x80], [0x00, 0x40], Array("a@b".utf8)] {
        guard let odd = try? attribute(tag, bytes) else { continue }
        var pki = try TestPKI()
        pki.leaf.subject = DistinguishedName([
          RelativeDistinguishedName([
            odd, try attribute(0x0C, [0x41]), try attribute(0x13, [0x42]),
          ])
        ])
        XCTAssertNil(try? pki.judge().organizationName)
        pki.leaf.subject = DistinguishedName([RelativeDistinguishedName(odd)])
        let leaf = try? pki.judge()
        if bytes != Array("a@b".utf8) || tag == 0x1E { XCTAssertNil(leaf?.organizationName) }
      }
    }
  }

  func testChainsOfAnythingElseAreRefused() throws {
    let pki = try TestPKI()
    for length in 0..<300 {
      let bytes = (0..<length).map { UInt8(truncatingIfNeeded: ($0 &+ length) &* 197 &+ $0 >> 3) }
      XCTAssertThrowsError(try pki.judge([bytes]))
      XCTAssertThrowsError(try pki.judge([[0x30, 0x82] + bytes]))
    }
  }
}
