/// Public keys as JWK: Ed25519 as OKP (RFC 8037 section 2), P-256 as EC (RFC 7518 section 6.2.1).
extension SubjectPublicKey {
  /// The JWK, with the members that the key consists of and no others.
  public var jwk: JSONValue {
    switch algorithm {
    case .edDSA:
      .object([
        "kty": .string("OKP"), "crv": .string("Ed25519"), "x": .string(Base64URL.encode(rawKey)),
      ])
    case .es256:
      .object([
        "kty": .string("EC"), "crv": .string("P-256"),
        "x": .string(Base64URL.encode(rawKey.dropFirst().prefix(32))),
        "y": .string(Base64URL.encode(rawKey.dropFirst(33))),
      ])
    }
  }

  /// Reads a JWK. It may also have `kid`, and a `use` and an `alg` that fit. Any other member is
  /// refused, so a private key never passes as a public one.
  ///
  /// Whether the point is on the curve is checked later, by the verifier that is made from the key.
  public init(jwk: JSONValue) throws(WireError) {
    guard let members = jwk.object else { throw .encodingRefused }
    var texts: [String: String] = [:]
    for (name, value) in members {
      guard let text = value.string else { throw .encodingRefused }
      texts[name] = text
    }
    texts["kid"] = nil
    guard texts.removeValue(forKey: "use") ?? "sig" == "sig" else { throw .encodingRefused }
    let algorithm = texts.removeValue(forKey: "alg")
    let kind = texts.removeValue(forKey: "kty")
    let curve = texts.removeValue(forKey: "crv")
    guard let x = Self.coordinate(texts.removeValue(forKey: "x")) else { throw .encodingRefused }
    switch (kind, curve) {
    case ("OKP", "Ed25519"):
      try self.init(ed25519: x)
    case ("EC", "P-256"):
      guard let y = Self.coordinate(texts.removeValue(forKey: "y")) else { throw .encodingRefused }
      try self.init(p256: [0x04] + x + y)
    default: throw .encodingRefused
    }
    guard texts.isEmpty, algorithm ?? self.algorithm.rawValue == self.algorithm.rawValue else {
      throw .encodingRefused
    }
  }

  private static func coordinate(_ text: String?) -> [UInt8]? {
    guard let bytes = text.flatMap({ Base64URL.decode($0) }), bytes.count == 32 else { return nil }
    return bytes
  }
}
