/// Why an SD-JWT was not made, accepted or presented. Carries no claim and no part of the text.
public enum SDJWTError: Error, Equatable, Sendable {
  /// Not the compact form of RFC 9901 section 4, or too long.
  case malformed
  /// The header names another algorithm, type or parameter than the key and the context demand.
  case headerRefused
  /// The issuer's signature does not verify.
  case signatureInvalid
  /// The signed payload is not that of a supported SD-JWT VC.
  case contentMalformed
  /// Another issuer than the expected one.
  case issuerRefused
  /// Another `vct` than the expected one.
  case typeRefused
  /// The credential was issued in the future or becomes valid only in the future.
  case notYetValid
  /// No longer valid.
  case expired

  /// A disclosure is not a base64url array of salt, name and value.
  case disclosureMalformed
  /// A disclosure appears twice.
  case disclosureRepeated
  /// The payload holds no digest of a disclosure.
  case disclosureUnreferenced
  /// The payload holds one digest twice.
  case digestRepeated
  /// A disclosed claim is already in the payload.
  case claimRepeated
  /// A claim has a name with a meaning in SD-JWT itself, or a claim that must be visible is to be
  /// hidden.
  case nameReserved

  /// There is a key-binding JWT where none is expected.
  case keyBindingUnexpected
  /// No key-binding JWT.
  case keyBindingMissing
  /// The key-binding JWT is not what RFC 9901 section 4.3 describes.
  case keyBindingMalformed
  /// The key-binding JWT is not signed by the key that the credential is bound to.
  case keyBindingInvalid
  /// The key-binding JWT was made for another verifier.
  case audienceRefused
  /// The key-binding JWT was made for another request.
  case nonceRefused
  /// The key-binding JWT was made over another credential or other disclosures.
  case presentationChanged
  /// The key-binding JWT was made too long ago, or in the future.
  case keyBindingStale

  /// The credential has no such claim to disclose.
  case claimUnknown
  /// The signer has another key type than the credential is bound to, has no key id where one is
  /// needed, or did not return 64 bytes.
  case signerRefused
  /// A salt is not 128 bits long or was given twice.
  case saltRefused
}
