import WalletProtocol

/// Signs the update policy. All answers within one second share one signature.
actor SignedUpdatePolicy {
  private var last: (policy: UpdatePolicy, issuedAt: Int64, compact: String)?

  func compact(
    _ policy: UpdatePolicy, identity: ProviderIdentity, issuedAt: Int64
  ) throws -> String {
    if let last, last.policy == policy, last.issuedAt == issuedAt { return last.compact }
    let claims = UpdatePolicyClaims(
      providerID: identity.id, issuedAt: issuedAt, rules: policy.rules)
    let compact = try SignedMessage.sign(
      claims, type: .updatePolicy, signer: identity.keys.configurationSigning)
    last = (policy, issuedAt, compact)
    return compact
  }
}
