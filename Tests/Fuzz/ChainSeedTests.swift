import Crypto
import Foundation
import SwiftASN1
import WalletProtocol
import X509
import XCTest

/// The seeds of `certificate_chain`, its anchor and the party of `request_object`: as
/// swift-certificates writes them. All have one key, and are kept without signatures, of which each
/// would be another.
///
/// Where the environment variable WALLET_CORE_SEEDS is set they are written anew.
final class ChainSeedTests: XCTestCase {
  private let status: ExtendedKeyUsage.Usage = .init(oid: [2, 999, 1, 30])

  private func certificate(
    _ subject: String, identifier: String? = nil, by issuer: String,
    _ extensions: [Certificate.Extension]
  ) throws -> Certificate {
    let key = Certificate.PrivateKey(try P256.Signing.PrivateKey(rawRepresentation: fuzzedScalar))
    func name(_ text: String, _ identifier: String? = nil) throws -> DistinguishedName {
      var names = try [CountryName("NL").makeRDN(), OrganizationName(text).makeRDN()]
      if let identifier {
        names.append(RelativeDistinguishedName(.init(type: [2, 5, 4, 97], utf8String: identifier)))
      }
      return DistinguishedName(names)
    }
    return try Certificate(
      version: .v3, serialNumber: Certificate.SerialNumber(bytes: [1]), publicKey: key.publicKey,
      notValidBefore: Date(timeIntervalSince1970: 1_788_000_000),
      notValidAfter: Date(timeIntervalSince1970: 1_790_000_000), issuer: name(issuer),
      subject: name(subject, identifier), extensions: Certificate.Extensions(extensions),
      issuerPrivateKey: key)
  }

  private func authority(
    _ subject: String, by issuer: String, constraints: NameConstraints? = nil
  ) throws -> Certificate {
    var extensions = [
      try Certificate.Extension(
        BasicConstraints.isCertificateAuthority(maxPathLength: 2), critical: true),
      try Certificate.Extension(KeyUsage(keyCertSign: true), critical: true),
      try Certificate.Extension(
        SubjectKeyIdentifier(keyIdentifier: Array(subject.utf8)[...]), critical: false),
      try Certificate.Extension(
        AuthorityKeyIdentifier(keyIdentifier: Array(issuer.utf8)[...]), critical: false),
    ]
    if let constraints { extensions.append(try .init(constraints, critical: true)) }
    return try certificate(subject, by: issuer, extensions)
  }

  private func leaf(
    identifier: String? = nil, by issuer: String, purposes: ExtendedKeyUsage? = nil
  ) throws -> Certificate {
    let names = SubjectAlternativeNames([
      .dnsName("shop.example"), .uniformResourceIdentifier("https://shop.example/x"),
    ])
    var extensions = [
      try Certificate.Extension(KeyUsage(digitalSignature: true), critical: true),
      try Certificate.Extension(names, critical: false),
      try Certificate.Extension(
        AuthorityKeyIdentifier(keyIdentifier: Array(issuer.utf8)[...]), critical: false),
    ]
    if let purposes { extensions.append(try .init(purposes, critical: false)) }
    return try certificate("leaf", identifier: identifier, by: issuer, extensions)
  }

  private func seed(_ first: UInt8, _ parts: [[UInt8]]) -> [UInt8] {
    [first] + parts.flatMap { [UInt8($0.count >> 8), UInt8($0.count & 0xFF)] + $0 }
  }

  func testTheSeedsAreAsTheLibraryWritesThem() throws {
    let root = try authority("root", by: "root")
    XCTAssertEqual(Base64URL.encode(root.tbsCertificateBytes), fuzzedAnchor)
    let clients = try ExtendedKeyUsage([.clientAuth])
    let party = try leaf(identifier: "NTRNL-1", by: "root", purposes: clients)
    XCTAssertEqual(Base64URL.encode(party.tbsCertificateBytes), fuzzedParty)
    let constraints = NameConstraints(
      permittedSubtrees: [
        .dnsName("example"), .uniformResourceIdentifier(".example"),
        .uniformResourceIdentifier("shop.example"),
      ],
      excludedSubtrees: [
        .dnsName("bad.example"),
        .ipAddress(ASN1OctetString(contentBytes: [10, 0, 0, 0, 255, 0, 0, 0])),
      ])
    let middle = try authority("middle", by: "root")
    let narrow = try authority("narrow", by: "middle", constraints: constraints)
    let chains: [String: [Certificate]] = [
      "leaf": [try leaf(by: "root", purposes: clients)],
      "status": [try leaf(by: "root", purposes: ExtendedKeyUsage([status]))],
      "authorities": [try leaf(by: "narrow"), narrow, middle],
    ]
    let directory = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("Corpus/certificate_chain")
    let isWriting = ProcessInfo.processInfo.environment["WALLET_CORE_SEEDS"] != nil
    for (name, chain) in chains {
      let (file, seed) = (
        directory.appendingPathComponent(name), seed(1, chain.map { Array($0.tbsCertificateBytes) })
      )
      if isWriting {
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        try Data(seed).write(to: file)
      }
      XCTAssertEqual(Array(try Data(contentsOf: file)), seed, name)
    }
    guard isWriting else { return }
    // Whole certificates have another signature each time.
    let whole = try [leaf(by: "middle"), middle].map { certificate -> [UInt8] in
      var serializer = DER.Serializer()
      try serializer.serialize(certificate)
      return serializer.serializedBytes
    }
    try Data(seed(0, whole)).write(to: directory.appendingPathComponent("signed"))
    let requests = directory.deletingLastPathComponent().appendingPathComponent("request_object")
    let written = Array(try Data(contentsOf: requests.appendingPathComponent("registered")))
    let lines = try XCTUnwrap(writtenLines(written, atMost: 2))
    try Data(writtenRequest(lines).utf8).write(to: requests.appendingPathComponent("signed"))
  }
}
