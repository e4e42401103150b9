public import WalletJOSE

/// Why a card was not made, read, accepted or presented. Carries no claim and no part
/// of the text.
public enum CredentialError: Error, Equatable, Sendable {
  /// Not the compact form of RFC 9901 section 4, too long, or with too many disclosures.
  case malformed
  /// There is a key-binding JWT, which an issuer does not make.
  case keyBindingUnexpected
  /// The issuer's JWS is not accepted.
  case issuerJWSRefused(JOSEError)
  /// The signed payload is no JSON object, or a member that SD-JWT VC defines is malformed.
  case contentMalformed
  /// Nested deeper than `Credential.maximumDepth`.
  case tooDeep

  /// `_sd_alg` is not `sha-256`.
  case digestAlgorithmRefused
  /// `_sd` is no array of strings, or `...` is not the only member of an array's element or no
  /// string.
  case digestMalformed
  /// One digest appears twice.
  case digestRepeated
  /// A disclosure is not a base64url array of salt and value or of salt, name and value.
  case disclosureMalformed
  /// A disclosure appears twice.
  case disclosureRepeated
  /// No digest refers to a disclosure.
  case disclosureUnreferenced
  /// The disclosure of a member is referred to by an array's element, or the reverse.
  case disclosureMisplaced
  /// A disclosed claim exists already in its object.
  case claimRepeated
  /// A name with a meaning in SD-JWT itself is where it has none.
  case nameReserved
  /// A claim that every verifier must see is hidden, or a part of it.
  case registeredClaimHidden

  /// The card is bound to no key, so nobody can present it.
  case holderKeyMissing
  /// The verifier has no name to sign for.
  case audienceRefused
  /// The verifier has sent no fresh value.
  case nonceRefused
  /// The signer has another key type than the card is bound to.
  case signerRefused
  /// A salt is not 128 bits long or was given twice.
  case saltRefused
}
