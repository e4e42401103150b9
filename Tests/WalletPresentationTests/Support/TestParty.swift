import Crypto
import ServerTestSupport
import WalletJOSE
import WalletProtocol
import WalletTrust

/// A relying party with a certificate of an authority of its own.
struct TestParty {
  static let now: Int64 = 1_800_000_000
  /// Of the organisation.
  static let identifier = "NTRNL-12345678"

  let authority: TestAuthority
  let key = P256.Signing.PrivateKey()

  init() throws { authority = try TestAuthority("Access authority") }

  func anchors(role: TrustRole = .relyingParty) throws -> TrustAnchors {
    try TrustAnchors([
      TrustAnchor(
        name: "Authority", role: role, types: role == .issuer ? ["a"] : [],
        certificate: authority.certificate, inForce: 0...(1 << 40))
    ])
  }

  func chain(
    _ hosts: [String] = ["verifier.example"], identifier: String? = TestParty.identifier
  ) throws -> [[UInt8]] {
    try authority.chain(
      of: "Example Verifier", key: Array(key.publicKey.x963Representation), hosts: hosts,
      identifier: identifier)
  }

  /// A key for answers, with `more` and without what is null in it.
  static func jwk(_ key: SubjectPublicKey, _ more: [String: JSONValue] = [:]) -> JSONValue {
    var members = key.jwk.object ?? [:]
    members["kid"] = .string("k1")
    members["alg"] = .string(CompactJWE.algorithm)
    return .object(members.merging(more) { $1 })
  }

  /// The members of a good request.
  static func members(
    _ clientID: String, key: SubjectPublicKey, metadata: [String: JSONValue] = [:]
  ) -> [String: JSONValue] {
    let query: JSONValue = .object([
      "credentials": .array([
        .object(["id": .string("p"), "format": .string("dc+sd-jwt"), "meta": .object([:])])
      ])
    ])
    let client = [
      "jwks": JSONValue.object(["keys": .array([jwk(key)])]),
      "vp_formats_supported": .object(["dc+sd-jwt": .object([:])]),
    ].merging(metadata) { $1 }
    return [
      "client_id": .string(clientID), "aud": .string("https://self-issued.me/v2"),
      "response_type": .string("vp_token"), "response_mode": .string("direct_post.jwt"),
      "response_uri": .string("https://verifier.example/response?id=1"),
      "nonce": .string("n-0.1_2~3"), "state": .string("s1"), "exp": .integer(now + 300),
      "iat": .integer(now), "dcql_query": query, "client_metadata": .object(client),
    ]
  }

  /// A request object with these members.
  func object(
    _ members: [String: JSONValue], chain: [[UInt8]], type: String = "oauth-authz-req+jwt",
    by signer: P256.Signing.PrivateKey? = nil
  ) throws -> String {
    try CompactJWS.sign(
      JSONValue.object(members).encoded, type: type, chain: chain,
      signer: KeySigner(key: signer ?? key))
  }
}

/// Signs with a key and no id.
struct KeySigner: Signer {
  let key: P256.Signing.PrivateKey
  let algorithm = SignatureAlgorithm.es256
  let keyID: String? = nil

  func sign(_ message: [UInt8]) throws -> [UInt8] {
    Array(try key.signature(for: message).rawRepresentation)
  }
}
