/// One selectively disclosable claim of an object (RFC 9901 section 4.2.1): base64url of the JSON
/// array of salt, name and value. The text is kept as received, because the digest covers it.
struct SDJWTDisclosure: Sendable, Equatable {
  /// The length of salts in bytes (RFC 9901 section 9.3: 128 bits).
  static let saltLength = 16

  let text: String
  let name: String
  let value: JSONValue

  init(salt: [UInt8], name: String, value: JSONValue) {
    self.text = Base64URL.encode(
      JSONValue.array([.string(Base64URL.encode(salt)), .string(name), value]).encoded)
    self.name = name
    self.value = value
  }

  /// Reads a disclosure. Salts of less than 128 bits are refused: whoever can guess the salt can
  /// find the value from its digest.
  init(parsing text: String) throws(SDJWTError) {
    guard let bytes = Base64URL.decode(text),
      let parts = (try? JSONValue(parsing: bytes))?.array, parts.count == 3,
      let salt = parts[0].string.flatMap({ Base64URL.decode($0) }), salt.count >= Self.saltLength,
      let name = parts[1].string
    else { throw .disclosureMalformed }
    self.text = text
    self.name = name
    self.value = parts[2]
  }

  /// Returns the digest for `_sd` (RFC 9901 section 4.2.3). It covers the text, not the bytes that
  /// the text encodes.
  func digest(_ sha256: ([UInt8]) -> [UInt8]) -> String {
    Base64URL.encode(sha256(Array(text.utf8)))
  }
}

/// Names with a meaning in SD-JWT itself.
enum SDJWTNames {
  static let digests = "_sd"
  static let arrayElement = "..."

  /// Claims that SD-JWT VC itself uses, and `status`, which is not supported. The holder can never
  /// withhold them (draft-ietf-oauth-sd-jwt-vc; here that includes `iat`), and a caller's claim
  /// must not have such a name.
  static let registered: Set<String> = [
    "iss", "vct", "vct#integrity", "iat", "nbf", "exp", "cnf", "status", "_sd_alg",
  ]

  /// Whether a claim of a caller or of a disclosure may have this name and value. A value with
  /// digests inside (RFC 9901 section 6) is refused: it is not supported, and to ignore the digests
  /// would misread the claim.
  static func allow(_ name: String, _ value: JSONValue) -> Bool {
    !registered.contains(name) && !isStructural(name) && isPlain(value)
  }

  static func isStructural(_ name: String) -> Bool { name == digests || name == arrayElement }

  private static func isPlain(_ value: JSONValue) -> Bool {
    switch value {
    case .array(let values): values.allSatisfy(isPlain)
    case .object(let members): members.allSatisfy { !isStructural($0.key) && isPlain($0.value) }
    default: true
    }
  }
}
