/// Access to rows for administration, in pages, so that no transaction takes long.
public protocol AdministrationTransaction {
  /// The wallets whose ids come after `id`, or the first ones if nil, ordered by the bytes of their
  /// ids.
  ///
  /// - Parameter limit: the maximum number of wallets.
  func wallets(after id: String?, limit: Int) throws -> [StoredWallet]
  /// The accounts whose ids come after `id`, or the first ones if nil, ordered by the bytes of
  /// their ids.
  ///
  /// - Parameter limit: the maximum number of accounts.
  func accounts(after id: String?, limit: Int) throws -> [StoredAccount]
}
