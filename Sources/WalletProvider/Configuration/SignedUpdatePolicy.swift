import WalletProtocol

/// Signs the update policy. All answers within one second share one signature. A request with a
/// nonce gets a signature of its own.
actor SignedUpdatePolicy {
  private var last: (claims: UpdatePolicyClaims, compact: String)?

  func compact(_ claims: UpdatePolicyClaims, identity: ProviderIdentity) throws -> String {
    if let last, last.claims == claims { return last.compact }
    let compact = try SignedMessage.sign(
      claims, type: .updatePolicy, signer: identity.keys.configurationSigning)
    if claims.nonce == nil { last = (claims, compact) }
    return compact
  }
}
