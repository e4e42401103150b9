package import SwiftASN1

/// The purposes of keys that certificates state.
package enum KeyPurpose {
  /// Signing of status lists. The draft (Token Status List, section 10) has no number for
  /// id-kp-oauthStatusSigning yet. Until it has, this one of the arc for examples stands for it: it is
  /// nobody's number for anything else.
  package static let statusSigning: ASN1ObjectIdentifier = [2, 999, 1, 30]
  /// The number that certificates had before, which is of BGPsec routers (RFC 8209). Some of them are
  /// still valid.
  package static let formerStatusSigning: ASN1ObjectIdentifier = [1, 3, 6, 1, 5, 5, 7, 3, 30]
}
