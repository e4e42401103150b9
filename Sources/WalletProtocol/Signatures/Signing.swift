/// A signature algorithm, named as in a JWS header (RFC 7518, RFC 8037).
public enum SignatureAlgorithm: String, Codable, Sendable {
  case edDSA = "EdDSA"
  case es256 = "ES256"
}

/// Makes signatures with one key. The algorithm belongs to the key; it is never negotiated.
public protocol Signer {
  /// The algorithm of the key.
  var algorithm: SignatureAlgorithm { get }
  /// The id of the key at the verifying side; nil if only one key is possible.
  var keyID: String? { get }
  /// Signs `message` and returns 64 bytes, for ES256 as r||s (RFC 7518 section 3.4).
  func sign(_ message: [UInt8]) throws -> [UInt8]
}

/// Checks signatures of one key.
public protocol Verifier: Sendable {
  /// The algorithm of the key.
  var algorithm: SignatureAlgorithm { get }
  /// Returns whether `signature` (64 bytes, r||s for ES256) is the key's signature over `message`.
  func isValid(signature: [UInt8], for message: [UInt8]) -> Bool
}
