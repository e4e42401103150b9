import WalletProtocol

/// Signs the update policy. All answers within one second share one signature, except those to a
/// request with a nonce, each of which is signed for that request.
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
