/// Who the provider is: its id and its keys, which replicas share.
public struct ProviderIdentity: Sendable {
  /// Random, made once: the audience of instructions and the issuer of results.
  public let id: String
  /// Each with one role.
  public let keys: ProviderKeys
}
