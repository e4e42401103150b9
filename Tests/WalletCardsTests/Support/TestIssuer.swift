import Crypto
import Foundation
import SwiftASN1
import WalletCredentials
import WalletJOSE
import WalletModel
import WalletProtocol
import WalletTrust
import X509
import XCTest

/// An issuer below an authority that the wallet trusts for one type.
struct TestIssuer {
  static let now: Int64 = 1_800_000_000
  static let type = "urn:example:library-card:1"

  /// What a card is made from.
  struct Recipe {
    var type = TestIssuer.type
    var claims: [String: JSONValue] = ["loan_limit": .number("2.50")]
    /// Claims that can be withheld.
    var hidden: [String: JSONValue] = ["family_name": .string("Jansen")]
    var issuedAt = TestIssuer.now
    var notBefore: Int64?
    var expires: Int64? = TestIssuer.now + 100_000
    var status: (uri: String, index: Int64)?
  }

  let anchors: TrustAnchors
  private let root: [UInt8]
  /// A later certificate of the same authority and key.
  private let renewedRoot: [UInt8]
  private let key = P256.Signing.PrivateKey()
  private let chain: [[UInt8]]
  /// Of the same key, for status lists.
  private let statusChain: [[UInt8]]

  init(organisation: String? = "City Library") throws {
    let authorityKey = Certificate.PrivateKey(P256.Signing.PrivateKey())
    let authority = try DistinguishedName { CommonName("authority") }
    let times = (
      Date(timeIntervalSince1970: Double(Self.now - 1000)),
      Date(timeIntervalSince1970: Double(Self.now + 10_000_000))
    )
    func certificate() throws -> [UInt8] {
      try Self.der(
        Certificate(
          version: .v3, serialNumber: .init(), publicKey: authorityKey.publicKey,
          notValidBefore: times.0, notValidAfter: times.1, issuer: authority, subject: authority,
          signatureAlgorithm: .ecdsaWithSHA256,
          extensions: Certificate.Extensions {
            Critical(BasicConstraints.isCertificateAuthority(maxPathLength: nil))
            Critical(KeyUsage(keyCertSign: true))
            SubjectKeyIdentifier(keyIdentifier: [1])
          }, issuerPrivateKey: authorityKey))
    }
    root = try certificate()
    renewedRoot = try certificate()
    let subject = try DistinguishedName {
      if let organisation { OrganizationName(organisation) }
      CommonName("issuer")
    }
    let publicKey = Certificate.PublicKey(key.publicKey)
    func leaf(for purposes: [ExtendedKeyUsage.Usage]) throws -> [UInt8] {
      try Self.der(
        Certificate(
          version: .v3, serialNumber: .init(), publicKey: publicKey, notValidBefore: times.0,
          notValidAfter: times.1, issuer: authority, subject: subject,
          signatureAlgorithm: .ecdsaWithSHA256,
          extensions: Certificate.Extensions {
            Critical(BasicConstraints.notCertificateAuthority)
            Critical(KeyUsage(digitalSignature: true))
            AuthorityKeyIdentifier(keyIdentifier: [1])
            SubjectAlternativeNames([.dnsName("library.example")])
            if !purposes.isEmpty { try ExtendedKeyUsage(purposes) }
          }, issuerPrivateKey: authorityKey))
    }
    chain = [try leaf(for: [])]
    statusChain = [try leaf(for: [.init(oid: [2, 999, 1, 30])])]
    anchors = try Self.anchors(root)
  }

  /// Anchors for other types.
  func anchors(types: Set<String>) throws -> TrustAnchors { try Self.anchors(root, types: types) }

  func renewedAnchors() throws -> TrustAnchors { try Self.anchors(renewedRoot) }

  private static func anchors(
    _ root: [UInt8], types: Set<String> = [type]
  ) throws -> TrustAnchors {
    try TrustAnchors([
      TrustAnchor(
        name: "Libraries", role: .issuer, types: types, certificate: root,
        inForce: now - 1000...now + 10_000_000),
      TrustAnchor(
        name: "Libraries", role: .statusList, certificate: root,
        inForce: now - 1000...now + 10_000_000),
    ])
  }

  private static func der(_ certificate: Certificate) throws -> [UInt8] {
    var serializer = DER.Serializer()
    try serializer.serialize(certificate)
    return serializer.serializedBytes
  }

  /// - Parameter salt: of all disclosures; random ones if it is nil.
  func card(
    _ recipe: Recipe = Recipe(), holder: SubjectPublicKey, salt: String? = nil
  ) throws -> String {
    let disclosures = recipe.hidden.sorted { $0.key < $1.key }.map { name, value in
      let own = Base64URL.encode((0..<16).map { _ in UInt8.random(in: 0...255) })
      let salt = JSONValue.string(salt ?? own)
      return Base64URL.encode(JSONValue.array([salt, .string(name), value]).encoded)
    }
    var payload = recipe.claims
    payload["_sd"] = .array(
      disclosures.map { .string(Base64URL.encode(SHA256.hash(data: Array($0.utf8)))) })
    payload["vct"] = .string(recipe.type)
    payload["iss"] = .string("https://library.example/issuer")
    payload["iat"] = .integer(recipe.issuedAt)
    payload["cnf"] = .object(["jwk": holder.jwk])
    if let notBefore = recipe.notBefore { payload["nbf"] = .integer(notBefore) }
    if let expires = recipe.expires { payload["exp"] = .integer(expires) }
    if let status = recipe.status {
      payload["status"] = .object([
        "status_list": .object(["idx": .integer(status.index), "uri": .string(status.uri)])
      ])
    }
    let jws = try sign(payload, type: "dc+sd-jwt", chain)
    return ([jws] + disclosures).joined(separator: "~") + "~"
  }

  /// A copy of a PID of the issuer's type.
  ///
  /// - Parameter change: changes what it states.
  func pid(
    holder: SubjectPublicKey, index: Int64,
    change: (inout CredentialStatement) throws -> Void = { _ in }
  ) throws -> String {
    let validity = try XCTUnwrap(
      PIDValidity(now: Self.now, verdict: Self.now, documentEnds: .max))
    let claims = PIDClaims(
      familyName: "Jansen", givenName: "Ada Zoë",
      birthdate: try XCTUnwrap(CalendarDate("1979-02-28")),
      issuedOn: try XCTUnwrap(CalendarDate("2027-01-15")), validity: validity,
      issuingAuthority: "City", issuingCountry: "NL",
      verification: PIDVerification(
        evidence: .drivingPermit, barcodeClaimed: true, accountMatch: true,
        issuingSourceMatch: false, demonstration: true))
    var statement = try claims.statement(
      type: Self.type, issuer: nil, validity: validity, holderKey: holder,
      status: .list(index: index, uri: "https://library.example/status/1"))
    try change(&statement)
    return try Credential.issue(
      statement, chain: chain, signer: Hand(key: key),
      salt: { (0..<Credential.saltLength).map { _ in UInt8.random(in: 0...255) } })
  }

  private struct Hand: Signer {
    let algorithm = SignatureAlgorithm.es256
    let keyID: String? = nil
    let key: P256.Signing.PrivateKey

    func sign(_ message: [UInt8]) throws -> [UInt8] {
      Array(try key.signature(for: message).rawRepresentation)
    }
  }

  /// A status list of eight entries of one byte each.
  func statusList(
    _ statuses: [UInt8], uri: String, ttl: Int64 = 600, expires: Int64 = now + 5000,
    issuedAt: Int64 = now
  ) throws -> String {
    // zlib with one stored block.
    let count = UInt16(statuses.count)
    let halves = { (value: UInt16) in [UInt8(value & 0xFF), UInt8(value >> 8)] }
    var (a, b): (UInt32, UInt32) = (1, 0)
    for byte in statuses {
      a = (a + UInt32(byte)) % 65_521
      b = (b + a) % 65_521
    }
    let sum = [b >> 8, b & 0xFF, a >> 8, a & 0xFF].map { UInt8($0) }
    let list = [0x78, 0x01, 0x01] + halves(count) + halves(~count) + statuses + sum
    return try sign(
      [
        "sub": .string(uri), "iat": .integer(issuedAt), "exp": .integer(expires),
        "ttl": .integer(ttl),
        "status_list": .object(["bits": .integer(8), "lst": .string(Base64URL.encode(list))]),
      ], type: "statuslist+jwt", statusChain)
  }

  private func sign(
    _ payload: [String: JSONValue], type: String, _ chain: [[UInt8]]
  ) throws -> String {
    let header = JSONValue.object([
      "alg": .string("ES256"), "typ": .string(type),
      "x5c": .array(chain.map { .string(Data($0).base64EncodedString()) }),
    ])
    let input =
      Base64URL.encode(header.encoded) + "."
      + Base64URL.encode(JSONValue.object(payload).encoded)
    let signature = try key.signature(for: Array(input.utf8)).rawRepresentation
    return input + "." + Base64URL.encode(signature)
  }
}

func assertThrows<Result>(
  _ kind: WalletError.Kind, _ body: @autoclosure () throws -> Result, _ message: String = "",
  line: UInt = #line, file: StaticString = #filePath
) {
  XCTAssertThrowsError(try body(), message, file: file, line: line) {
    XCTAssertEqual(($0 as? WalletError)?.kind, kind, "\($0) \(message)", file: file, line: line)
  }
}
