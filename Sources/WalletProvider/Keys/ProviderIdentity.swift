/// The provider's id and keys, which replicas share.
public struct ProviderIdentity: Sendable {
  /// The provider's id, random and made once. Instructions name it as their audience, and results
  /// as their issuer.
  public let id: String
  /// The provider's keys, each with one role.
  public let keys: ProviderKeys

  /// Signs status lists.
  public var statusListSigner: StatusListSigner {
    StatusListSigner(chain: keys.statusSigner.chain, signer: keys.statusSigner.signer)
  }

  /// The keys that authenticate the rows of the provider's store.
  ///
  /// - Throws: if a device holds a sealing key and fails, its error.
  public func rowAuthentication() throws -> RowAuthentication {
    try RowAuthentication(keys.sealing.all)
  }
}
