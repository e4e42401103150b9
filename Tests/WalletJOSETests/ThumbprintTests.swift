import WalletJOSE
import WalletProtocol
import XCTest

final class ThumbprintTests: XCTestCase {
  func testTheThumbprintOfRFC8037AppendixA3() throws {
    let key = try SubjectPublicKey(
      jwk: JOSETest.json(
        #"{"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}"#))
    XCTAssertEqual(
      Base64URL.encode(key.thumbprint), "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k")
  }

  /// The key and its thumbprint in OpenID4VP 1.0 appendix B.2.6.1.
  func testTheThumbprintOfOpenID4VPCoversTheRequiredMembersOnlyRFC7638Section32() throws {
    for rest in ["", #","use":"enc","alg":"ECDH-ES","kid":"1""#] {
      let key = try SubjectPublicKey(
        foreignJWK: JOSETest.json(
          #"{"kty":"EC","crv":"P-256","x":"DxiH5Q4Yx3UrukE2lWCErq8N8bqC9CHLLrAwLz5BmE0","#
            + #""y":"XtLM4-3h5o3HUH0MHVJV0kyq0iBlrBwlh8qEDMZ4-Pc"\#(rest)}"#))
      XCTAssertEqual(
        Base64URL.encode(key.thumbprint), "QoPsknrg8gjaqi0CaoFPKyLcpSz4X_qPP4Ymxr1mkEc")
    }
  }

  /// The challenge of PKCE (RFC 7636 appendix B) and the access token hash of DPoP (RFC 9449
  /// section 7.1).
  func testKnownHashes() {
    let answers = [
      "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk": "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
      "Kz~8mXK1EalYznwH-LC-1fBAo.4Ljp~zsPE_NeO.gxU": "fUHyO2r2Z3DZ53EsNrWBb0xWXoaNy59IiKCAqksmQEo",
      "WyIyR0xDNDJzS1F2ZUNmR2ZyeU5STjl3IiwgImdpdmVuX25hbWUiLCAiSm9obiJd":
        "jsu9yVulwQQlhFlM_3JlzMaSFzglhQG0DpfayQwLUK4",
    ]
    for (text, hash) in answers {
      XCTAssertEqual(Base64URL.encode(JOSEDigest.sha256(text.utf8)), hash)
    }
  }
}
