package import SwiftASN1

/// The purposes of keys that certificates state.
package enum KeyPurpose {
  /// Signing of status lists. The draft has no number for id-kp-oauthStatusSigning yet; this is the
  /// one that implementations use until then.
  package static let statusSigning: ASN1ObjectIdentifier = [1, 3, 6, 1, 5, 5, 7, 3, 30]
}
