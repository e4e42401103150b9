import Foundation
import WalletModel
import WalletProtocol
import XCTest

/// The seeds of `sd_jwt` that are whole PIDs, as our issuer's code makes them of an invented
/// person, with the digest and the signature that the fuzz target takes for good.
///
/// Where the environment variable WALLET_CORE_SEEDS is set they are written anew.
final class PIDSeedTests: XCTestCase {
  private struct AnyHand: Signer {
    let algorithm: SignatureAlgorithm
    let keyID: String? = "k1"

    func sign(_ message: [UInt8]) -> [UInt8] { [UInt8](repeating: 0, count: 64) }
  }

  private func seed(_ algorithm: SignatureAlgorithm) throws -> String {
    let claims = PIDClaims(
      familyName: "Vanderbloom", givenName: "Marigold Zoë",
      birthdate: try XCTUnwrap(CalendarDate("1987-06-05")),
      issuedOn: try XCTUnwrap(CalendarDate("2026-08-29")), issuingAuthority: "Example Authority",
      issuingCountry: "US",
      verification: PIDVerification(
        evidence: .drivingPermit, barcodeClaimed: true, accountMatch: true,
        issuingSourceMatch: true, demonstration: false))
    let holder = try SubjectPublicKey(
      jwk: .object([
        "kty": .string("OKP"), "crv": .string("Ed25519"),
        "x": .string(Base64URL.encode((0..<32).map { UInt8($0) })),
      ]))
    var content = try claims.content(
      issuer: "issuer", issuedAt: 1_788_000_000, expires: 1_790_000_000, holderKey: holder)
    content.type = "pid"
    var first: UInt8 = 0
    return try SDJWT.issue(
      content, signer: AnyHand(algorithm: algorithm),
      salt: {
        first += 1
        return (0..<16).map { first + $0 }
      }, sha256: guessableDigest)
  }

  func testTheSeedsOfPIDsAreWhatOurIssuerMakes() throws {
    let directory = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("Corpus/sd_jwt")
    for (name, algorithm) in [("issued-eddsa", SignatureAlgorithm.edDSA), ("issued-es256", .es256)]
    {
      let (file, seed) = (directory.appendingPathComponent(name), try seed(algorithm))
      if ProcessInfo.processInfo.environment["WALLET_CORE_SEEDS"] != nil {
        try seed.write(to: file, atomically: true, encoding: .utf8)
      }
      XCTAssertEqual(try String(contentsOf: file, encoding: .utf8), seed, name)
      XCTAssertEqual(seed.split(separator: "~").count, PIDClaims.disclosable.count + 1)
    }
  }
}
