/// The provider's id and keys, which replicas share.
public struct ProviderIdentity: Sendable {
  /// Random and made once: the audience of instructions and the issuer of results.
  public let id: String
  /// The provider's keys, each with one role.
  public let keys: ProviderKeys

  /// The keys that authenticate the rows of the provider's store.
  ///
  /// - Throws: what a device that holds a sealing key throws.
  public func rowAuthentication() throws -> RowAuthentication {
    try RowAuthentication(keys.sealing.all)
  }
}
