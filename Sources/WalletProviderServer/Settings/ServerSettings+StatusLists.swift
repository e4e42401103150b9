public import WalletProvider

extension ServerSettings {
  /// The publisher of the status lists.
  public func statusLists(
    _ directory: DataDirectory, store: any ProviderStore
  ) -> StatusListPublisher {
    StatusListPublisher(
      store: store, signer: directory.identity.statusListSigner,
      settings: provider.proofing.statusLists)
  }
}
