import Foundation
import WalletCrypto
import WalletProtocol
import XCTest

/// Credentials and presentations that another implementation made.
final class SDJWTVectorTests: XCTestCase {
  private struct Key: Decodable {
    let subject_public_key_info: String
    let jwk: [String: String]
  }

  private struct Answer: Decodable {
    let issuer_algorithm, holder_algorithm: SignatureAlgorithm
    let issuer, holder: Key
    let iss, vct, kid, issued, presentation, aud, nonce: String
    let iat, exp, presented_at: Int64
    let claims, presented_claims: PIDClaims
  }

  private func party(_ key: Key) throws -> (SubjectPublicKey, any Verifier) {
    let subject = try SubjectPublicKey(der: Vectors.bytes(key.subject_public_key_info))
    let members = key.jwk.mapValues(JSONValue.string)
    XCTAssertEqual(try SubjectPublicKey(jwk: .object(members)), subject)
    XCTAssertEqual(subject.jwk, .object(members.filter { $0.key != "kid" }))
    return (subject, try XCTUnwrap(Party.verifier(of: subject)))
  }

  func testKnownCredentialsAndPresentationsVerify() throws {
    let answers = try Vectors.load("sdjwt", as: Answer.self)
    XCTAssertEqual(answers.count, 12)
    for answer in answers {
      let (_, issuer) = try party(answer.issuer)
      let (holderKey, _) = try party(answer.holder)
      XCTAssertEqual(issuer.algorithm, answer.issuer_algorithm)
      XCTAssertEqual(holderKey.algorithm, answer.holder_algorithm)
      let issued = try SDJWT(parsing: answer.issued)
      XCTAssertEqual(issued.keyID, answer.kid)
      var expected = SDJWTExpectation(issuer: answer.iss, type: answer.vct, now: answer.iat)
      let credential = try issued.verifyIssued(expected, verifier: issuer, sha256: Hash.sha256)
      XCTAssertEqual(try credential.claims(as: PIDClaims.self), answer.claims)
      XCTAssertEqual(credential.expires, answer.exp)
      XCTAssertEqual(credential.holderKey, holderKey)
      XCTAssertEqual(credential.withheldCount, 0)

      expected.now = answer.presented_at
      let presented = try SDJWT(parsing: answer.presentation).verifyPresentation(
        expected,
        keyBinding: KeyBindingExpectation(audience: answer.aud, nonce: answer.nonce),
        verifier: issuer, holderVerifier: Party.verifier(of:), sha256: Hash.sha256)
      XCTAssertEqual(try presented.claims(as: PIDClaims.self), answer.presented_claims)
      assertRefused(.nonceRefused) {
        try SDJWT(parsing: answer.presentation).verifyPresentation(
          expected, keyBinding: KeyBindingExpectation(audience: answer.aud, nonce: "other"),
          verifier: issuer, holderVerifier: Party.verifier(of:), sha256: Hash.sha256)
      }
    }
  }
}
