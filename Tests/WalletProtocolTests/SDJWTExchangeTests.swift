import Foundation
import WalletProtocol
import XCTest

/// What our issuer and holder make, for a verifier of others.
///
/// Where the environment variable WALLET_CORE_EXCHANGES names a file, the exchanges are written
/// into it for Tests/Interop/sdjwt.sh.
final class SDJWTExchangeTests: XCTestCase {
  private func exchange(_ parties: SDJWTParties, _ names: Set<String>) throws -> JSONValue {
    let issued = try parties.issue()
    let all = try parties.verify(issued).claims
    let presentation = try parties.present(names, of: issued)
    let shown = all.filter { !PIDClaims.disclosable.subtracting(names).contains($0.key) }
    XCTAssertEqual(try parties.check(presentation).claims, shown)
    return .object([
      "iss": .string("provider"), "issuer": .object(["jwk": parties.issuer.key.jwk]),
      "aud": .string(SDJWTParties.audience), "nonce": .string(SDJWTParties.nonce),
      "presented_at": .integer(SDJWTParties.now), "issued": .string(issued),
      "presentation": .string(presentation), "claims": .object(all),
      "presented_claims": .object(shown),
    ])
  }

  func testExchangesForOtherVerifiers() throws {
    var exchanges: [JSONValue] = []
    for issuer in [SignatureAlgorithm.edDSA, .es256] {
      for holder in [SignatureAlgorithm.edDSA, .es256] {
        let parties = try SDJWTParties(issuer: issuer, holder: holder)
        for names in [[], ["age_equal_or_over"], ["family_name", "birthdate"]] {
          exchanges.append(try exchange(parties, Set(names)))
        }
        exchanges.append(try exchange(parties, PIDClaims.disclosable))
      }
    }
    guard let path = ProcessInfo.processInfo.environment["WALLET_CORE_EXCHANGES"] else { return }
    try Data(JSONValue.array(exchanges).encoded).write(to: URL(fileURLWithPath: path))
  }
}
