/// Which rule a certificate chain broke. Carries nothing of the certificates.
public enum TrustError: Error, Equatable, Sendable {
  /// There are no certificates, more than four, or one is too long.
  case chainLength
  /// A certificate is not the DER of RFC 5280 section 4.1 in version 3, has an extension that cannot
  /// be read, or a key or a signature of an unknown kind.
  case certificateMalformed
  /// A certificate of the message names itself as its issuer. Trust never comes from the message.
  case selfIssued
  /// The message brings an anchor along.
  case anchorInChain
  /// No anchor of the role has the name and the key of the last certificate's issuer.
  case anchorUnknown
  /// The time is outside of the window of the anchor's entry.
  case anchorNotInForce
  /// An anchor appears twice for one role, or has types although its role has none, or none although
  /// its role has some. Or an entry of the configuration has an unknown role, or is outside of its
  /// limits.
  case anchorRefused

  /// The issuer of a certificate is not the subject of the next one.
  case nameMismatch
  /// The authority key identifier of a certificate is not that of its issuer.
  case keyIdentifierMismatch
  /// A signature is neither ES256 with a P-256 key nor ES384 with a P-384 key, or the certificate
  /// states two algorithms.
  case algorithmRefused
  /// A certificate was not signed by its issuer.
  case signatureInvalid
  /// A certificate becomes valid only in the future.
  case notYetValid
  /// A certificate is no longer valid.
  case expired
  /// A certificate has a critical extension that is not known, or one that has no place there.
  case extensionRefused

  /// The issuer of a certificate is no certificate authority.
  case notAuthority
  /// An authority stands higher above the leaf than its path length allows.
  case pathTooLong
  /// An authority may not sign certificates, or the leaf may not sign messages.
  case keyUsageRefused
  /// The first certificate is an authority, which signs no messages.
  case leafIsAuthority
  /// The leaf has another key than P-256.
  case leafKeyRefused
  /// A name is outside of what an authority may certify, or that cannot be told.
  case nameNotPermitted
  /// The purposes of the leaf do not fit the role.
  case purposeRefused

  /// Whether an issuer was compared that did not sign the certificate.
  var isOfAnotherKey: Bool {
    switch self {
    case .keyIdentifierMismatch, .algorithmRefused, .signatureInvalid: true
    default: false
    }
  }
}
