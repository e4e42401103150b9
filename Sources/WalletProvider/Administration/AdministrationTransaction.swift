/// The rows as whoever runs the provider looks through them, page by page, so that no look at them is long.
public protocol AdministrationTransaction {
  /// The wallets whose ids come after `id`, or all, in the order of their ids' bytes.
  ///
  /// - Parameter limit: at most so many.
  func wallets(after id: String?, limit: Int) throws -> [StoredWallet]
  /// The account that the wallet is proofed for, or nil.
  func account(ofWallet id: String) throws -> String?
  /// The accounts whose ids come after `id`, or all, in the order of their ids' bytes.
  ///
  /// - Parameter limit: at most so many.
  func accounts(after id: String?, limit: Int) throws -> [StoredAccount]
}
