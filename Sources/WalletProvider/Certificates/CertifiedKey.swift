public import WalletProtocol

/// A key that signs for verifiers who know only the authority above it, with the certificates that
/// lead there.
public struct CertifiedKey: Sendable, RedactedDescription {
  /// Signs ES256.
  public let signer: any SigningKey
  /// The certificates in DER, the key's own first, without the anchor, as `x5c` has them.
  public let chain: [[UInt8]]
  /// The last second, since 1970, at which the whole chain is valid. What the key signs must not be
  /// valid for longer.
  public let notAfter: Int64
}

/// A certificate of the authority that the provider's signers are certified by.
public struct IssuerAuthority: Sendable, Equatable {
  /// In DER.
  public let certificate: [UInt8]
  /// The first and the last second of its validity, since 1970.
  let notBefore, notAfter: Int64
}
