import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import WalletCredentials
import WalletJOSE
import WalletProtocol
import WalletProvider
import WalletTrust
import XCTest

/// What verifiers fetch from the provider: its keys, the type of its PIDs, its authority.
final class IssuerDocumentTests: XCTestCase {
  func testTheMetadataOfTheIssuerHasItsKeysWithTheirChains() async throws {
    let harness = try issuer("https://wallet.example.org")
    try await withHTTP(harness) { http in
      let response = try await http.get("/.well-known/jwt-vc-issuer")
      XCTAssertEqual(response.status, .ok)
      XCTAssertEqual(response.headers[.contentType], "application/json")
      let metadata = try object(response.bytes)
      XCTAssertEqual(metadata["issuer"], .string("https://wallet.example.org"))
      guard case .array(let keys)? = metadata["jwks"]?.object?["keys"] else { return XCTFail() }
      let signers = harness.directory.identity.keys.documentSigners.all
      XCTAssertEqual(keys.count, signers.count)
      for (key, signer) in zip(keys, signers) {
        let members = try XCTUnwrap(key.object)
        XCTAssertEqual(members["kid"], .string(signer.signer.id))
        XCTAssertEqual(members["alg"], .string("ES256"))
        XCTAssertEqual(
          members["x5c"], .array(signer.chain.map { .string(Base64.encode($0)) }))
        let verifier = try P256VerifyingKey(jwk: key)
        let message = Array("message".utf8)
        XCTAssertTrue(
          verifier.isValid(signature: try signer.signer.sign(message), for: message))
      }
    }
  }

  func testThePathOfTheIssuerFollowsTheWellKnownOne() async throws {
    try await withHTTP(try issuer("https://example.org/wallet/one/")) { http in
      let found = try await http.get("/.well-known/jwt-vc-issuer/wallet/one")
      XCTAssertEqual(
        try object(found.bytes)["issuer"], .string("https://example.org/wallet/one"))
      let type = try await http.get("/wallet/one/types/pid/1")
      XCTAssertEqual(
        try object(type.bytes)["vct"], .string("https://example.org/wallet/one/types/pid/1"))
      let none = try await http.get("/.well-known/jwt-vc-issuer/wallet/two")
      XCTAssertEqual(none.problemKind(), .notFound)
    }
  }

  func testWithoutAnHTTPSURLThereIsNoMetadata() async throws {
    for url in [nil, "http://127.0.0.1:8740"] {
      try await withHTTP(try issuer(url)) { http in
        let response = try await http.get("/.well-known/jwt-vc-issuer")
        XCTAssertEqual(response.problemKind(), .notFound)
        XCTAssertTrue(String(buffer: response.body).contains("no https:// URL"))
        let type = try object(try await http.get("/types/pid/1").bytes)
        XCTAssertEqual(type["vct"], .string("urn:wallet-provider:pid:1"))
      }
    }
  }

  func testTheTypeDescribesEachClaimOfAPID() async throws {
    let validity = try XCTUnwrap(
      PIDValidity(now: 1_760_000_000, verdict: 1_760_000_000, documentEnds: .max))
    let claims = PIDClaims(
      familyName: "A", givenName: "B", birthdate: try XCTUnwrap(CalendarDate("1990-01-01")),
      issuedOn: try XCTUnwrap(CalendarDate("2026-01-01")), validity: validity,
      issuingAuthority: "C", issuingCountry: "NL",
      verification: PIDVerification(
        evidence: .drivingPermit, barcodeClaimed: true, accountMatch: true,
        issuingSourceMatch: true, demonstration: false))
    let names = Set(try XCTUnwrap(JSONValue(encoding: claims).object).keys)
    try await withHTTP(try issuer("https://wallet.example.org")) { http in
      let type = try object(try await http.get("/types/pid/1").bytes)
      guard case .array(let entries)? = type["claims"] else { return XCTFail() }
      var described: Set<String> = []
      var hidden: Set<ClaimsPath> = []
      for entry in entries.compactMap(\.object) {
        let path = try ClaimsPath(parsing: XCTUnwrap(entry["path"]))
        guard case .name(let name)? = path.components.first else { return XCTFail() }
        described.insert(name)
        if entry["sd"] == .string("always") {
          hidden.insert(path)
        } else {
          XCTAssertEqual(entry["sd"], .string("never"), name)
        }
        XCTAssertNotNil(entry["display"], name)
      }
      XCTAssertEqual(described, names)
      XCTAssertEqual(hidden, PIDClaims.disclosable)
    }
  }

  func testTheAuthorityIsServedAsPEMAndNotSentAgainToWhoHasIt() async throws {
    let harness = try issuer("https://wallet.example.org")
    try await withHTTP(harness) { http in
      for path in ["/issuer-authority.pem", "/types/pid/1", "/.well-known/jwt-vc-issuer"] {
        let first = try await http.get(path)
        XCTAssertEqual(first.status, .ok)
        XCTAssertEqual(first.headers[.cacheControl], "public, max-age=3600")
        let tag = try XCTUnwrap(first.headers[.eTag])
        let second = try await http.get(path, headers: [.ifNoneMatch: tag])
        XCTAssertEqual(second.status, .notModified)
        XCTAssertEqual(second.headers[.eTag], tag)
        XCTAssertTrue(second.bytes.isEmpty)
      }
      let served = try await http.get("/issuer-authority.pem")
      XCTAssertEqual(served.headers[.contentType], "application/pem-certificate-chain")
      XCTAssertEqual(
        String(buffer: served.body),
        try String(contentsOfFile: harness.path + "/keys/issuer-authority.pem", encoding: .utf8))
    }
  }
}

private func issuer(_ url: String?) throws -> ProviderHarness {
  var settings = ProviderSettings()
  settings.publicURL = try url.map { try PublicURL($0) }
  settings.pidType = PIDType.standard(at: settings.publicURL)
  return try ProviderHarness(settings: settings)
}

private func object(_ bytes: [UInt8]) throws -> [String: JSONValue] {
  try XCTUnwrap(JSONValue(parsing: bytes).object)
}
