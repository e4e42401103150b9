import Crypto
import ServerTestSupport
import WalletJOSE
import WalletProtocol
import WalletTrust

/// Signs what relying parties have registered, below an authority of its own.
struct TestRegistrar {
  static let type = "rc-wrp+jwt"

  let authority: TestAuthority
  let key = P256.Signing.PrivateKey()

  init() throws { authority = try TestAuthority("Registration authority") }

  func anchor(role: TrustRole = .registrar) throws -> TrustAnchor {
    try TrustAnchor(
      name: "National register", role: role, types: role == .issuer ? ["a"] : [],
      certificate: authority.certificate, inForce: 0...(1 << 40))
  }

  func chain() throws -> [[UInt8]] {
    try authority.chain(of: "Registrar", key: Array(key.publicKey.x963Representation))
  }

  /// The members of a good registration of `TestParty`, for cards of type "a".
  static func members(_ credentials: String = #"[{"path":["name"]}]"#) throws -> [String: JSONValue]
  {
    let entry =
      #"[{"format":"dc+sd-jwt","meta":{"vct_values":["a"]},"claim":\#(credentials)}]"#
    return [
      "sub": .string(TestParty.identifier), "iat": .integer(TestParty.now - 1000),
      "exp": .integer(TestParty.now + 1000),
      "credentials": try JSONValue(parsing: Array(entry.utf8), profile: .foreign),
    ]
  }

  /// A registration with these members.
  func certificate(
    _ members: [String: JSONValue], type: String = type, chain: [[UInt8]]? = nil,
    by signer: P256.Signing.PrivateKey? = nil
  ) throws -> String {
    try CompactJWS.sign(
      JSONValue.object(members).encoded, type: type, chain: chain ?? self.chain(),
      signer: KeySigner(key: signer ?? key))
  }
}
