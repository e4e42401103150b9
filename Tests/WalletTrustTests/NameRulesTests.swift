import SwiftASN1
import WalletTrust
import X509
import XCTest

/// Name constraints (RFC 5280 section 4.2.1.10).
final class NameRulesTests: XCTestCase {
  private func judge(
    _ names: [GeneralName], permitted: [GeneralName], excluded: [GeneralName],
    subject: DistinguishedName?
  ) throws -> TrustedLeaf {
    var pki = try TestPKI()
    var constraints = NameConstraints()
    constraints.permittedSubtrees = permitted
    constraints.excludedSubtrees = excluded
    pki.middle.nameConstraints = constraints
    pki.leaf.names = names
    pki.leaf.subject = subject ?? pki.leaf.subject
    return try pki.judge()
  }

  private func assertPermitted(
    permitted: [GeneralName] = [], excluded: [GeneralName] = [], names: [GeneralName],
    subject: DistinguishedName? = nil, line: UInt = #line
  ) {
    XCTAssertNoThrow(
      try judge(names, permitted: permitted, excluded: excluded, subject: subject),
      "\(names)", line: line)
  }

  private func assertNotPermitted(
    permitted: [GeneralName] = [], excluded: [GeneralName] = [], names: [GeneralName],
    subject: DistinguishedName? = nil, line: UInt = #line
  ) {
    assertThrows(.nameNotPermitted, "\(names)", line: line) {
      try judge(names, permitted: permitted, excluded: excluded, subject: subject)
    }
  }

  func testHostsWithinTheConstraintArePermitted() throws {
    for (host, base) in [
      ("shop.example", "shop.example"), ("www.shop.example", "shop.example"),
      ("a.b.shop.example", "Shop.EXAMPLE"), ("WWW.shop.example", "example"),
      ("www.shop.example", ".shop.example"), ("shop.example", ""),
    ] {
      assertPermitted(permitted: [.dnsName(base)], names: [.dnsName(host)])
      assertNotPermitted(excluded: [.dnsName(base)], names: [.dnsName(host)])
    }
  }

  func testHostsOutsideOfTheConstraintAreNotPermitted() throws {
    for (host, base) in [
      ("shop.example", "www.shop.example"), ("myshop.example", "shop.example"),
      ("shop.example.evil.example", "shop.example"), ("other.example", "shop.example"),
    ] {
      assertNotPermitted(permitted: [.dnsName(base)], names: [.dnsName(host)])
      assertPermitted(excluded: [.dnsName(base)], names: [.dnsName(host)])
    }
    assertNotPermitted(permitted: [.dnsName(".shop.example")], names: [.dnsName("shop.example")])
  }

  func testHostsThatCannotBeComparedAreRefused() throws {
    for host in [
      "", ".", "*.shop.example", "shop..example", "shop.example.", ".shop.example", "127.0.0.1",
      "shop example", String(repeating: "a", count: 64) + ".example",
      [String](repeating: "abcdefgh.", count: 30).joined() + "example",
    ] {
      for base in ["shop.example", "example", ""] {
        assertNotPermitted(permitted: [.dnsName(base)], names: [.dnsName(host)])
        assertNotPermitted(excluded: [.dnsName(base)], names: [.dnsName(host)])
      }
    }
    for base in [".", "*.example", "a..b", "shop.example."] {
      assertNotPermitted(excluded: [.dnsName(base)], names: [.dnsName("shop.example")])
    }
  }

  func testEachNameMustBeWithinAndNoneExcluded() throws {
    let permitted: [GeneralName] = [.dnsName("a.example"), .dnsName("b.example")]
    assertPermitted(permitted: permitted, names: [.dnsName("a.example"), .dnsName("x.b.example")])
    assertNotPermitted(permitted: permitted, names: [.dnsName("a.example"), .dnsName("c.example")])
    assertNotPermitted(
      permitted: permitted, excluded: [.dnsName("x.a.example")],
      names: [.dnsName("b.example"), .dnsName("y.x.a.example")])
    assertPermitted(
      permitted: permitted, excluded: [.dnsName("x.a.example")], names: [.dnsName("a.example")])
  }

  func testTheHostOfAURICounts() throws {
    let name = GeneralName.uniformResourceIdentifier
    for (uri, base) in [
      ("https://shop.example/x?y#z", "shop.example"), ("https://shop.example", "shop.example"),
      ("HTTPS://SHOP.example:8443/", "shop.example"),
      ("https://www.shop.example/", ".shop.example"),
    ] {
      assertPermitted(permitted: [name(base)], names: [name(uri)])
      assertNotPermitted(excluded: [name(base)], names: [name(uri)])
    }
    for (uri, base) in [
      ("https://www.shop.example/", "shop.example"), ("https://shop.example/", ".shop.example"),
      ("https://evil.example/shop.example", "shop.example"),
      ("https://evil.example?shop.example", "shop.example"),
    ] {
      assertNotPermitted(permitted: [name(base)], names: [name(uri)])
    }
  }

  func testURIsWithoutAHostNameAreRefused() throws {
    let name = GeneralName.uniformResourceIdentifier
    for uri in [
      "", "shop.example", "urn:shop.example", "https:shop.example", "https://", "https:///x",
      "https://127.0.0.1/", "https://[::1]/", "https://shop.example@evil.example/",
      "https://evil.example@shop.example/", "https://shop.example:x/", "https://*.shop.example/",
      "https://shop.example\\@evil.example/", "https://shop.example\\.evil.example/",
      "https://shop.example /", "https://{shop}.example/",
    ] {
      assertNotPermitted(permitted: [name("shop.example")], names: [name(uri)])
      assertNotPermitted(excluded: [name("other.example")], names: [name(uri)])
    }
  }

  func testTheSubjectBeginsWithAPermittedName() throws {
    let subject = try DistinguishedName {
      CountryName("NL")
      OrganizationName("Shop")
    }
    let country = GeneralName.directoryName(try DistinguishedName { CountryName("NL") })
    let other = GeneralName.directoryName(try DistinguishedName { CountryName("DE") })
    assertPermitted(permitted: [country], names: [], subject: subject)
    assertPermitted(permitted: [other, country], names: [], subject: subject)
    assertNotPermitted(permitted: [other], names: [], subject: subject)
    // Another spelling of an excluded name could not be told.
    assertNotPermitted(excluded: [other], names: [], subject: subject)
    assertPermitted(
      permitted: [other], excluded: [other], names: [], subject: DistinguishedName())
  }

  func testConstraintsOnFormsThatAreNotCertifiedDoNotMatter() throws {
    let address = GeneralName.ipAddress(ASN1OctetString(contentBytes: [0, 0, 0, 0, 0, 0, 0, 0]))
    let names: [GeneralName] = [.dnsName("shop.example")]
    assertPermitted(excluded: [address], names: names)
    assertPermitted(permitted: [address], names: names)
    assertPermitted(permitted: [.rfc822Name("shop.example")], names: names)
  }

  func testConstraintsOnFormsThatCannotBeComparedRefuseSuchNames() throws {
    let any = GeneralName.ipAddress(ASN1OctetString(contentBytes: [0, 0, 0, 0, 0, 0, 0, 0]))
    let one = GeneralName.ipAddress(ASN1OctetString(contentBytes: [127, 0, 0, 1]))
    let mail = GeneralName.rfc822Name("shop.example")
    for (subtree, name) in [(any, one), (mail, .rfc822Name("a@shop.example"))] {
      assertNotPermitted(permitted: [subtree], names: [name])
      assertNotPermitted(excluded: [subtree], names: [name])
    }
    // An address in the subject counts too.
    let subject = try DistinguishedName { EmailAddress("a@shop.example") }
    assertNotPermitted(permitted: [mail], names: [], subject: subject)
  }

  func testConstraintsReachDownToTheLeafAndTheAuthoritiesBetween() throws {
    var hosts = NameConstraints()
    hosts.permittedSubtrees = [.dnsName("shop.example")]
    assertTrusted { $0.root.nameConstraints = hosts }
    hosts.permittedSubtrees = [.dnsName("other.example")]
    assertRefused(.nameNotPermitted) { $0.root.nameConstraints = hosts }
    assertRefused(.nameNotPermitted) {
      $0.root.nameConstraints = hosts
      $0.leaf.names = []
      $0.middle.names = [.dnsName("shop.example")]
    }
    // They do not reach the authority that has them.
    assertTrusted {
      $0.middle.nameConstraints = hosts
      $0.middle.names = [.dnsName("shop.example")]
      $0.leaf.names = []
    }
  }

  func testConstraintsThatAreNotCriticalCountToo() throws {
    var hosts = NameConstraints()
    hosts.permittedSubtrees = [.dnsName("other.example")]
    assertRefused(.nameNotPermitted) {
      $0.middle.others = [try Certificate.Extension(hosts, critical: false)]
    }
  }

  func testALeafHasNoConstraints() throws {
    var hosts = NameConstraints()
    hosts.permittedSubtrees = [.dnsName("shop.example")]
    assertRefused(.extensionRefused) { $0.leaf.nameConstraints = hosts }
    assertRefused(.extensionRefused) {
      $0.leaf.others = [try Certificate.Extension(hosts, critical: false)]
    }
  }
}
