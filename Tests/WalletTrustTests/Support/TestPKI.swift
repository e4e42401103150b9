import Crypto
import Foundation
import SwiftASN1
import WalletTrust
import X509
import XCTest

/// What a certificate is made from. A test changes one thing.
struct Recipe {
  var subject: DistinguishedName
  var key: Certificate.PrivateKey
  /// Seconds since 1970.
  var validity = TestPKI.now - 1000...TestPKI.now + 1000
  var version = Certificate.Version.v3
  var constraints: BasicConstraints?
  var usage: KeyUsage?
  var subjectKey: [UInt8]?
  var authorityKey: AuthorityKeyIdentifier?
  var names: [GeneralName] = []
  var purposes: ExtendedKeyUsage?
  var nameConstraints: NameConstraints?
  var others: [Certificate.Extension] = []
  /// The issuer that the certificate names, if not the one that signs it.
  var issuer: DistinguishedName?
  var algorithm: Certificate.SignatureAlgorithm?

  static func authority(_ name: String, maxPathLength: Int? = nil) throws -> Recipe {
    let key = Certificate.PrivateKey(P256.Signing.PrivateKey())
    return Recipe(
      subject: try DistinguishedName { CommonName(name) }, key: key,
      constraints: .isCertificateAuthority(maxPathLength: maxPathLength),
      usage: KeyUsage(keyCertSign: true, cRLSign: true), subjectKey: Array(name.utf8))
  }

  var extensions: Certificate.Extensions {
    get throws {
      var all: [Certificate.Extension] = []
      if let constraints { all.append(try .init(constraints, critical: true)) }
      if let usage { all.append(try .init(usage, critical: true)) }
      if let subjectKey {
        let identifier = SubjectKeyIdentifier(keyIdentifier: subjectKey[...])
        all.append(try .init(identifier, critical: false))
      }
      if let authorityKey { all.append(try .init(authorityKey, critical: false)) }
      if !names.isEmpty { all.append(try .init(SubjectAlternativeNames(names), critical: false)) }
      if let purposes { all.append(try .init(purposes, critical: false)) }
      if let nameConstraints { all.append(try .init(nameConstraints, critical: true)) }
      return try Certificate.Extensions(all + others)
    }
  }

  func signed(by issuer: Recipe) throws -> Certificate {
    let serialNumber = Certificate.SerialNumber()
    let start = Date(timeIntervalSince1970: Double(validity.lowerBound))
    let end = Date(timeIntervalSince1970: Double(validity.upperBound))
    let name = self.issuer ?? issuer.subject
    guard let algorithm else {
      return try Certificate(
        version: version, serialNumber: serialNumber, publicKey: key.publicKey,
        notValidBefore: start, notValidAfter: end, issuer: name, subject: subject,
        extensions: extensions, issuerPrivateKey: issuer.key)
    }
    return try Certificate(
      version: version, serialNumber: serialNumber, publicKey: key.publicKey,
      notValidBefore: start, notValidAfter: end, issuer: name, subject: subject,
      signatureAlgorithm: algorithm, extensions: extensions, issuerPrivateKey: issuer.key)
  }
}

/// A root, an authority below it, and a leaf.
struct TestPKI {
  static let now: Int64 = 1_800_000_000

  var root: Recipe
  var middle: Recipe
  var leaf: Recipe
  let leafKey = P256.Signing.PrivateKey()

  init() throws {
    root = try .authority("root")
    middle = try .authority("middle")
    middle.authorityKey = AuthorityKeyIdentifier(keyIdentifier: Array("root".utf8)[...])
    leaf = Recipe(
      subject: try DistinguishedName {
        CountryName("NL")
        OrganizationName("Example Shop B.V.")
        CommonName("shop")
      }, key: Certificate.PrivateKey(leafKey), constraints: .notCertificateAuthority,
      usage: KeyUsage(digitalSignature: true), subjectKey: Array("leaf".utf8),
      authorityKey: AuthorityKeyIdentifier(keyIdentifier: Array("middle".utf8)[...]),
      names: [
        .dnsName("shop.example"), .uniformResourceIdentifier("https://shop.example/start"),
        .dnsName("www.shop.example"), .rfc822Name("info@shop.example"),
      ])
  }

  static func der(_ certificate: Certificate) throws -> [UInt8] {
    var serializer = DER.Serializer()
    try serializer.serialize(certificate)
    return serializer.serializedBytes
  }

  /// The chain of a message: the leaf, then the authority below the root.
  var chain: [[UInt8]] {
    get throws { [try Self.der(leaf.signed(by: middle)), try Self.der(middle.signed(by: root))] }
  }

  var rootDER: [UInt8] { get throws { try Self.der(root.signed(by: root)) } }

  func anchor(
    _ role: TrustRole = .relyingParty, types: Set<String>? = nil,
    inForce: ClosedRange<Int64> = now - 10...now + 10
  ) throws -> TrustAnchor {
    try TrustAnchor(
      name: "Example \(role.rawValue)", role: role,
      types: types ?? (role == .issuer ? ["urn:example:card"] : []), certificate: rootDER,
      inForce: inForce)
  }

  func judge(
    _ chain: [[UInt8]]? = nil, role: TrustRole = .relyingParty, anchors: [TrustAnchor]? = nil,
    now: Int64 = now
  ) throws -> TrustedLeaf {
    try TrustAnchors(anchors ?? [anchor(role)]).judge(
      chain: chain ?? self.chain, role: role, now: now)
  }
}

extension XCTestCase {
  /// Checks that a good chain is refused after `change` for exactly one reason.
  func assertRefused(
    _ reason: TrustError, _ note: String = "", role: TrustRole = .relyingParty,
    line: UInt = #line, file: StaticString = #filePath, _ change: (inout TestPKI) throws -> Void
  ) {
    assertThrows(reason, note, line: line, file: file) {
      var pki = try TestPKI()
      try change(&pki)
      return try pki.judge(role: role)
    }
  }

  func assertThrows(
    _ reason: TrustError, _ note: String = "", line: UInt = #line, file: StaticString = #filePath,
    _ body: () throws -> some Any
  ) {
    XCTAssertThrowsError(try body(), note, file: file, line: line) {
      XCTAssertEqual($0 as? TrustError, reason, note, file: file, line: line)
    }
  }

  /// Checks that a good chain stays good after `change`.
  func assertTrusted(
    _ note: String = "", role: TrustRole = .relyingParty, line: UInt = #line,
    file: StaticString = #filePath, _ change: (inout TestPKI) throws -> Void = { _ in }
  ) {
    XCTAssertNoThrow(
      try {
        var pki = try TestPKI()
        try change(&pki)
        _ = try pki.judge(role: role)
      }(), note, file: file, line: line)
  }
}
