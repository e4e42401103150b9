import Crypto
import SwiftASN1
import WalletTrust
import X509
import XCTest

/// What single certificates must be (RFC 5280 sections 4.1 and 4.2).
final class TrustRulesTests: XCTestCase {
  private let unknown: ASN1ObjectIdentifier = [1, 3, 6, 1, 4, 1, 99999, 1]
  private let statusSigning = ExtendedKeyUsage.Usage(oid: [2, 999, 1, 30])

  func testValidityCoversBothEndsRFC5280Section4125() throws {
    let pki = try TestPKI()
    let window = pki.leaf.validity
    let anchors = [try pki.anchor(inForce: 0...Int64.max)]
    for now in [window.lowerBound, window.upperBound] {
      XCTAssertNoThrow(try pki.judge(anchors: anchors, now: now))
    }
    for now in [window.lowerBound - 1, 0, Int64.min] {
      let all = [try pki.anchor(inForce: Int64.min...Int64.max)]
      assertThrows(.notYetValid) { try pki.judge(anchors: all, now: now) }
    }
    for now in [window.upperBound + 1, Int64.max] {
      assertThrows(.expired) { try pki.judge(anchors: anchors, now: now) }
    }
  }

  func testEachCertificateOfThePathMustBeValid() throws {
    let past = TestPKI.now - 20...TestPKI.now - 1
    let future = TestPKI.now + 1...TestPKI.now + 20
    assertRefused(.expired) { $0.leaf.validity = past }
    assertRefused(.expired) { $0.middle.validity = past }
    assertRefused(.expired) { $0.root.validity = past }
    assertRefused(.notYetValid) { $0.leaf.validity = future }
    assertRefused(.notYetValid) { $0.middle.validity = future }
    assertRefused(.notYetValid) { $0.root.validity = future }
  }

  func testYearsBeyond2050AreRead() throws {
    assertTrusted { $0.leaf.validity = TestPKI.now...4_000_000_000 }
    assertTrusted { $0.leaf.validity = -2_000_000_000...TestPKI.now }
    // No well-defined end (RFC 5280 section 4.1.2.5): 99991231235959Z.
    assertTrusted { $0.leaf.validity = 0...253_402_300_799 }
  }

  func testAnIssuerMustBeAnAuthorityRFC5280Section4219() throws {
    assertRefused(.notAuthority) { $0.middle.constraints = nil }
    assertRefused(.notAuthority) { $0.middle.constraints = .notCertificateAuthority }
    assertThrows(.notAuthority) {
      var pki = try TestPKI()
      pki.root.constraints = .notCertificateAuthority
      return try pki.anchor()
    }
    // A leaf that issues another one.
    let pki = try TestPKI()
    var forged = pki.leaf
    forged.authorityKey = nil
    forged.subject = try DistinguishedName { OrganizationName("Forger") }
    let chain = try pki.chain
    let first = try TestPKI.der(forged.signed(by: pki.leaf))
    assertThrows(.notAuthority) { try pki.judge([first] + chain) }
  }

  func testThePathLengthCountsTheAuthoritiesBelowRFC5280Section4219() throws {
    assertTrusted { $0.middle.constraints = .isCertificateAuthority(maxPathLength: 0) }
    assertTrusted { $0.root.constraints = .isCertificateAuthority(maxPathLength: 1) }
    assertRefused(.pathTooLong) {
      $0.root.constraints = .isCertificateAuthority(maxPathLength: 0)
    }
    let pki = try TestPKI()
    var upper = try Recipe.authority("upper", maxPathLength: 0)
    var middle = pki.middle
    middle.authorityKey = nil
    func chain() throws -> [[UInt8]] {
      try [pki.leaf.signed(by: middle), middle.signed(by: upper), upper.signed(by: pki.root)]
        .map(TestPKI.der)
    }
    assertThrows(.pathTooLong) { try pki.judge(chain()) }
    upper.constraints = .isCertificateAuthority(maxPathLength: 1)
    XCTAssertNoThrow(try pki.judge(chain()))
  }

  func testAnAuthorityMustStateThatItSignsCertificatesRFC5280Section4213() throws {
    for usage in [nil, KeyUsage(cRLSign: true), KeyUsage(digitalSignature: true)] {
      assertRefused(.keyUsageRefused) { $0.middle.usage = usage }
      assertThrows(.keyUsageRefused) {
        var pki = try TestPKI()
        pki.root.usage = usage
        return try pki.anchor()
      }
    }
  }

  func testALeafMustStateThatItSignsRFC5280Section4213() throws {
    for usage in [nil, KeyUsage(keyAgreement: true), KeyUsage(nonRepudiation: true)] {
      assertRefused(.keyUsageRefused) { $0.leaf.usage = usage }
    }
    assertTrusted { $0.leaf.usage = KeyUsage(digitalSignature: true, nonRepudiation: true) }
  }

  func testALeafThatIsAnAuthorityIsRefused() throws {
    assertRefused(.leafIsAuthority) {
      $0.leaf.constraints = .isCertificateAuthority(maxPathLength: nil)
    }
    assertRefused(.leafIsAuthority) {
      $0.leaf.usage = KeyUsage(digitalSignature: true, keyCertSign: true)
    }
    assertTrusted { $0.leaf.constraints = nil }
  }

  func testALeafWithAnotherKeyThanP256IsRefused() throws {
    for key in [
      Certificate.PrivateKey(P384.Signing.PrivateKey()),
      Certificate.PrivateKey(P521.Signing.PrivateKey()),
      Certificate.PrivateKey(Curve25519.Signing.PrivateKey()),
    ] {
      assertRefused(.leafKeyRefused) { $0.leaf.key = key }
    }
  }

  func testUnknownCriticalExtensionsAreRefusedRFC5280Section42() throws {
    let critical = Certificate.Extension(oid: unknown, critical: true, value: [0x05, 0x00])
    assertRefused(.extensionRefused) { $0.leaf.others = [critical] }
    assertRefused(.extensionRefused) { $0.middle.others = [critical] }
    assertThrows(.extensionRefused) {
      var pki = try TestPKI()
      pki.root.others = [critical]
      return try pki.anchor()
    }
    let other = Certificate.Extension(oid: unknown, critical: false, value: [0x05, 0x00])
    assertTrusted {
      $0.leaf.others = [other]
      $0.middle.others = [other]
      $0.root.others = [other]
    }
    // Policies of certificates are not known here.
    let policies = Certificate.Extension(oid: [2, 5, 29, 32], critical: true, value: [0x30, 0x00])
    assertRefused(.extensionRefused) { $0.leaf.others = [policies] }
  }

  func testPurposesOfAnAuthorityAreNoLimitThatIsKnown() throws {
    let purposes = try ExtendedKeyUsage([.serverAuth])
    assertTrusted { $0.middle.purposes = purposes }
    assertRefused(.extensionRefused) {
      $0.middle.others = [try Certificate.Extension(purposes, critical: true)]
    }
  }

  func testRepeatedExtensionsAreRefusedRFC5280Section42() throws {
    let pki = try TestPKI()
    let chain = try pki.chain
    // The extension for the subject's key identifier takes the identifier of that for the
    // authority's key.
    var changed = chain[0]
    let subjectKey: [UInt8] = [0x06, 0x03, 0x55, 0x1D, 0x0E]
    let place = try XCTUnwrap(changed.indices.first { changed[$0...].starts(with: subjectKey) })
    changed[place + 4] = 0x23
    assertThrows(.certificateMalformed) { try pki.judge([changed, chain[1]]) }
  }

  func testOtherVersionsAreRefusedRFC5280Section4121() throws {
    XCTAssertThrowsError(
      try {
        var pki = try TestPKI()
        pki.leaf.version = .v1
        _ = try pki.judge()
      }())
    // Version 2, the number 1 in the field of the version.
    let pki = try TestPKI()
    let chain = try pki.chain
    var changed = chain[0]
    let version: [UInt8] = [0xA0, 0x03, 0x02, 0x01, 0x02]
    let place = try XCTUnwrap(changed.indices.first { changed[$0...].starts(with: version) })
    changed[place + 4] = 0x01
    assertThrows(.certificateMalformed) { try pki.judge([changed, chain[1]]) }
  }

  func testASignerOfStatusListsHasItsPurpose() throws {
    let purpose = try ExtendedKeyUsage([statusSigning])
    assertRefused(.purposeRefused, role: .statusList) { _ in }
    assertRefused(.purposeRefused, role: .statusList) {
      $0.leaf.purposes = try ExtendedKeyUsage([.serverAuth, .any])
    }
    assertTrusted(role: .statusList) { $0.leaf.purposes = purpose }
    assertTrusted(role: .statusList) {
      $0.leaf.others = [try Certificate.Extension(purpose, critical: true)]
    }
  }

  func testASignerOfStatusListsOnlyActsInNoOtherRole() throws {
    for role in TrustRole.allCases where role != .statusList {
      for purpose in [statusSigning, .init(oid: [1, 3, 6, 1, 5, 5, 7, 3, 30])] {
        assertRefused(.purposeRefused, role: role) {
          $0.leaf.purposes = try ExtendedKeyUsage([purpose])
        }
      }
      assertTrusted(role: role) {
        $0.leaf.purposes = try ExtendedKeyUsage([.clientAuth, statusSigning])
      }
      assertTrusted(role: role) { _ in }
    }
  }
}
