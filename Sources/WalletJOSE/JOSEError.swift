/// Why a JWS or a JWE of another party was not made, read or accepted. Carries nothing of its
/// content.
public enum JOSEError: Error, Equatable, Sendable {
  /// Not the compact form of RFC 7515 section 7.1 or RFC 7516 section 7.1, or too long.
  case malformed
  /// The header is no JSON object, repeats a member, or has one of the wrong type.
  case headerMalformed
  /// The header has `crit`: none of its extensions is supported (RFC 7515 section 4.1.11).
  case criticalHeader
  /// `typ` is another one than the context demands.
  case typeRefused
  /// `alg` is not that of the key, or is not supported.
  case algorithmRefused
  /// A certificate in `x5c` is not base64 of its standard alphabet with padding, or there are too
  /// many.
  case chainMalformed
  /// The signature does not verify.
  case signatureInvalid
  /// The signer did not return 64 bytes.
  case signerRefused

  /// A public key is not P-256 in its one form, or its point is not on the curve. A private key
  /// where a public one belongs is refused with this too.
  case keyRefused
  /// `enc` is not supported, the content is compressed, or there is an encrypted key although the
  /// key is agreed on directly.
  case encryptionRefused
  /// The content was encrypted for another key, or something was changed on the way.
  case decryptionFailed
}
