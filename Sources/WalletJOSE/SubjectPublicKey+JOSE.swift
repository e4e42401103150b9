public import WalletProtocol

extension SubjectPublicKey {
  /// Reads the JWK of another party (RFC 7518 section 6.2.1, RFC 8037 section 2).
  ///
  /// `kty`, `crv`, `x` and `y` are as strict as in `init(jwk:)`. Other parties state more, for
  /// example `alg` of a key agreement; those members are ignored, except for the private half `d`,
  /// which is refused: who sends it has lost the key.
  ///
  /// Which kind of key fits and whether the point is on the curve is checked where the key is used.
  public init(foreignJWK jwk: JSONValue) throws(JOSEError) {
    guard case .object(let members) = jwk, members["d"] == nil else { throw .keyRefused }
    let key = members.filter { ["kty", "crv", "x", "y"].contains($0.key) }
    do { self = try SubjectPublicKey(jwk: .object(key)) } catch { throw .keyRefused }
  }

  /// The SHA-256 thumbprint of the key, 32 bytes (RFC 7638; for Ed25519 RFC 8037 section 2).
  ///
  /// `jwk` has exactly the members that the thumbprint covers, and its text is in their order.
  public var thumbprint: [UInt8] { JOSEDigest.sha256(jwk.encoded) }
}
