/// The store of a provider's rows. It contains no rules.
public protocol ProviderStore: Sendable {
  /// Moves the time of this store, in tests.
  var clock: any ProviderClock { get }

  /// Runs `body` in one write transaction that excludes every other transaction on the same wallet,
  /// in this process and any other process on the same store. Commits when `body` returns; the
  /// changes are then on disk. Rolls back when `body` throws, and rethrows the error.
  ///
  /// - Throws: `StoreFailure` if the store itself fails.
  func transaction<Result: Sendable>(
    _ body: @escaping @Sendable (any ProviderTransaction) throws -> Result
  ) async throws -> Result

  /// Checks that the store responds. Throws `StoreFailure`.
  func ping() async throws
}

/// A store that can count its rows.
public protocol CountingProviderStore: ProviderStore {
  /// The number of wallets by state.
  func walletCounts() async throws -> (pending: Int, confirmed: Int)
  func proofingCounts() async throws -> ProofingCounts
}

/// Row counts of identity proofing.
public struct ProofingCounts: Sendable, Equatable {
  /// The number of accounts.
  public var accounts: Int
  /// Codes claimed by a wallet, without a verdict.
  public var claimed: Int
  /// Codes with a verdict.
  public var consumed: Int
  public var sessions: Int
  /// Proofed accounts.
  public var proofed: Int

  public init(accounts: Int, claimed: Int, consumed: Int, sessions: Int, proofed: Int) {
    self.accounts = accounts
    self.claimed = claimed
    self.consumed = consumed
    self.sessions = sessions
    self.proofed = proofed
  }
}

/// Access to rows within one transaction. A wallet that was read stays locked until the transaction
/// ends.
public protocol ProviderTransaction: ProofingTransaction, StatusTransaction, SealedRowTransaction,
  RowPages
{
  /// The current time by the clock of the store, which all replicas share: milliseconds since 1970,
  /// never negative.
  ///
  /// It is the time of a moment at which everything read before is already locked: a request that
  /// had to wait for a wallet is handled with the time at which the wait ended. It may go back from
  /// one transaction to the next.
  var now: Int64 { get throws }

  /// The wallet with this id, or nil.
  func wallet(id: String) throws -> StoredWallet?
  /// The wallet whose hardware key has this SHA-256 hash, or nil; there is at most one.
  func wallet(hardwareKeyHash: [UInt8]) throws -> StoredWallet?
  /// Deletes the wallet and its challenges; see `ProofingTransaction` for what else is deleted.
  func deleteWallet(id: String) throws
  /// At most `limit` wallets that were registered at `time` or before and never confirmed, unless an
  /// account refers to them; not locked. One that cannot be read hides no other.
  func unconfirmedWallets(
    registeredBy time: Int64, limit: Int
  ) throws -> [FoundRow<StoredWallet>]

  /// The challenge with these 32 bytes, or nil.
  func challenge(_ challenge: [UInt8]) throws -> StoredChallenge?
  /// Deletes challenges that expired at `time` or before.
  func deleteChallenges(expiredBy time: Int64) throws
  /// Deletes all but the `count` challenges of the wallet that were inserted last.
  func keepLatestChallenges(_ count: Int, ofWallet id: String) throws
  /// Whether any challenge, session or page that expired at `time` or before still has to be
  /// deleted.
  func hasEndedRows(by time: Int64) throws -> Bool
}

/// A failure of the store. Nothing was changed, unless the connection to a database was lost during
/// the commit: then the result is unknown, and the request may be sent again. The description
/// contains no row content.
public struct StoreFailure: Error, CustomStringConvertible {
  /// For the log.
  public let description: String
  /// The row that somebody other than the provider has written or changed; nil for any other
  /// failure.
  public let unauthenticRow: UnauthenticRow?

  public init(_ description: String, unauthenticRow: UnauthenticRow? = nil) {
    self.description = description
    self.unauthenticRow = unauthenticRow
  }
}
