import SwiftASN1
import WalletTrust
import X509
import XCTest

final class TrustAnchorTests: XCTestCase {
  func testAnAnchorOfAnotherRoleIsNoAnchor() throws {
    var pki = try TestPKI()
    pki.leaf.purposes = try ExtendedKeyUsage([
      .clientAuth, ExtendedKeyUsage.Usage(oid: [2, 999, 1, 30]),
    ])
    for anchored in TrustRole.allCases {
      for role in TrustRole.allCases {
        let anchors = [try pki.anchor(anchored)]
        if role == anchored {
          XCTAssertNoThrow(try pki.judge(role: role, anchors: anchors))
        } else {
          assertThrows(.anchorUnknown) { try pki.judge(role: role, anchors: anchors) }
        }
      }
    }
  }

  func testTheTypesOfAnIssuerAreThoseOfItsAnchor() throws {
    let pki = try TestPKI()
    let other = try TestPKI()
    let anchors = [
      try other.anchor(.issuer, types: ["urn:example:other"]),
      try pki.anchor(.issuer, types: ["urn:example:a", "urn:example:b"]),
      try pki.anchor(.registrar),
    ]
    let leaf = try pki.judge(role: .issuer, anchors: anchors)
    XCTAssertTrue(leaf.mayIssue(["urn:example:a", "urn:example:b"]))
    XCTAssertFalse(leaf.mayIssue(["urn:example:a", "urn:example:c"]))
    XCTAssertFalse(leaf.mayIssue([]))
    XCTAssertEqual(leaf.anchorName, "Example issuer")
  }

  func testAnEntryCountsWithinItsWindowOnly() throws {
    let pki = try TestPKI()
    let now = TestPKI.now
    for window in [now...now, now - 5...now, now...now + 5] {
      XCTAssertNoThrow(try pki.judge(anchors: [pki.anchor(inForce: window)]))
    }
    for window in [now - 5...now - 1, now + 1...now + 5] {
      assertThrows(.anchorNotInForce) { try pki.judge(anchors: [pki.anchor(inForce: window)]) }
    }
  }

  func testAnAuthorityMayHaveRenewedItsKey() throws {
    let old = try TestPKI()
    let pki = try TestPKI()
    let now = TestPKI.now
    for anchors in [
      [try old.anchor(), try pki.anchor()], [try pki.anchor(), try old.anchor()],
      [try pki.anchor(inForce: now - 5...now - 1), try pki.anchor()],
    ] {
      XCTAssertNoThrow(try pki.judge(anchors: anchors))
      XCTAssertNoThrow(try TrustAnchors(anchors))
    }
  }

  func testAnEntryThatAppearsTwiceIsRefused() throws {
    let pki = try TestPKI()
    let root = try pki.rootDER
    func anchor(_ role: TrustRole, _ types: Set<String> = []) throws -> TrustAnchor {
      try TrustAnchor(
        name: "\(types)", role: role, types: types, certificate: root, inForce: 0...1)
    }
    XCTAssertNoThrow(
      try TrustAnchors([
        anchor(.issuer, ["a"]), anchor(.relyingParty), anchor(.registrar), anchor(.statusList),
      ]))
    assertThrows(.anchorRefused) {
      try TrustAnchors([anchor(.issuer, ["a"]), anchor(.issuer, ["b"])])
    }
    assertThrows(.anchorRefused) { try anchor(.issuer) }
    assertThrows(.anchorRefused) { try anchor(.registrar, ["a"]) }
  }

  func testWhatIsNoCertificateIsNoAnchor() throws {
    let root = try TestPKI().rootDER
    for der in [[], [0x30, 0x00], [0x05, 0x00], Array(root.dropLast()), root + [0]] {
      assertThrows(.certificateMalformed) {
        try TrustAnchor(name: "", role: .registrar, certificate: der, inForce: 0...1)
      }
    }
  }

  func testNamesThatCouldDisguiseThePartyAreNotGiven() throws {
    for (name, given) in [
      ("Bäckerei Müller & Söhne", "Bäckerei Müller & Söhne"), ("株式会社", "株式会社"), ("", nil),
      ("Bank\u{202E}knaB", nil), ("Bank\nof", nil), ("Bank\u{200B}", nil), ("\u{FFFD}", nil),
      ("A\u{2028}B", nil), ("\0", nil), (" ", nil), ("\u{A0}\u{3000}", nil), ("\u{2800}", nil),
      ("Ba\u{3164}nk", nil), ("\u{115F}", nil), ("Ba\u{34F}nk", nil), ("Ba\u{FE0F}nk", nil),
      ("\u{FE0F}Bank", nil), ("\u{2708}\u{FE0F} Reisen", "\u{2708}\u{FE0F} Reisen"),
      ("\u{8FBB}\u{E0100}", "\u{8FBB}\u{E0100}"), ("\u{2708}\u{FE0F}\u{FE0F}", nil),
    ] {
      var pki = try TestPKI()
      pki.leaf.subject = try DistinguishedName { OrganizationName(name) }
      XCTAssertEqual(try pki.judge().organizationName, given)
    }
  }

  func testOneOrganizationIsNamed() throws {
    var pki = try TestPKI()
    pki.leaf.subject = try DistinguishedName { CommonName("only") }
    XCTAssertNil(try pki.judge().organizationName)
    pki.leaf.subject = try DistinguishedName {
      OrganizationName("One")
      OrganizationName("Two")
    }
    XCTAssertNil(try pki.judge().organizationName)
    pki.leaf.subject = try DistinguishedName([
      RelativeDistinguishedName.Attribute(
        type: .RDNAttributeType.organizationName, printableString: "One"),
      RelativeDistinguishedName.Attribute(type: [2, 5, 4, 97], utf8String: "NTRNL-12345678"),
    ])
    XCTAssertEqual(try pki.judge().organizationName, "One")
    XCTAssertEqual(try pki.judge().organizationIdentifier, "NTRNL-12345678")
  }
}
