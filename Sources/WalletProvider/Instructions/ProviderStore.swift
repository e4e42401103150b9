/// Where the rows of a provider live. The rules are not in here: a store keeps rows, whole.
public protocol ProviderStore: Sendable {
  /// What moves the time of this store, in tests.
  var clock: any ProviderClock { get }

  /// Runs `body` in one write transaction that excludes every other one that could touch the same
  /// wallet, in this process and in any other on the same store. Commits when `body` returns, and
  /// the answer is on disk then; undoes everything when `body` throws, and throws the same.
  ///
  /// - Throws: `StoreFailure` when the store itself fails.
  func transaction<Result: Sendable>(
    _ body: @escaping @Sendable (any ProviderTransaction) throws -> Result
  ) async throws -> Result

  /// Asks the store for a sign of life. Throws `StoreFailure`.
  func ping() async throws
}

/// A store that can say how much there is in it.
public protocol CountingProviderStore: ProviderStore {
  /// How many wallets there are, by state.
  func walletCounts() async throws -> (pending: Int, confirmed: Int)
  func proofingCounts() async throws -> ProofingCounts
}

/// How much there is of the identity proofing.
public struct ProofingCounts: Sendable, Equatable {
  /// People's accounts.
  public var accounts: Int
  /// Codes that a wallet has, without a verdict.
  public var claimed: Int
  /// Codes with a verdict.
  public var consumed: Int
  public var sessions: Int
  /// Accounts that are proofed.
  public var proofed: Int

  public init(accounts: Int, claimed: Int, consumed: Int, sessions: Int, proofed: Int) {
    self.accounts = accounts
    self.claimed = claimed
    self.consumed = consumed
    self.sessions = sessions
    self.proofed = proofed
  }
}

/// The rows as one transaction sees them. A wallet that was read stays locked until its end.
public protocol ProviderTransaction: ProofingTransaction, AdministrationTransaction,
  SealedRowTransaction
{
  /// Milliseconds since 1970 by the clock of the store, which all replicas share; never negative.
  ///
  /// It is that of a moment at which what was read before is locked, so that who waits for a wallet is
  /// judged by the time at which it was his turn. It may go back from transaction to transaction.
  var now: Int64 { get throws }

  /// The wallet with this id, or nil.
  func wallet(id: String) throws -> StoredWallet?
  /// The wallet with this SHA-256 of its hardware key, or nil; there is at most one.
  func wallet(hardwareKeyHash: [UInt8]) throws -> StoredWallet?
  /// Removes the wallet and its challenges; for what else goes along see `ProofingTransaction`.
  func deleteWallet(id: String) throws
  /// Removes wallets that were registered at `time` or before and never confirmed. A store may leave
  /// some for later, here and wherever something that has ended is removed.
  func deleteUnconfirmedWallets(registeredBy time: Int64) throws

  /// The challenge with these 32 bytes, or nil.
  func challenge(_ challenge: [UInt8]) throws -> StoredChallenge?
  /// Removes challenges that were to expire at `time` or before.
  func deleteChallenges(expiredBy time: Int64) throws
  /// Enrolment challenges that live at `time` and were not used yet; it counts no further than `limit`.
  func unusedEnrolmentChallenges(at time: Int64, upTo limit: Int) throws -> Int
  /// Removes all but the `count` challenges of the wallet that were inserted last.
  func keepLatestChallenges(_ count: Int, ofWallet id: String) throws
  /// Whether a challenge, session or page that ended at `time` or before is yet to be removed.
  func hasEndedRows(by time: Int64) throws -> Bool
}

/// The store could not do its work. Nothing was changed, unless the connection to a database was lost
/// at the commit: then nobody knows, and the request may be sent again. The description holds no row
/// content.
public struct StoreFailure: Error, CustomStringConvertible {
  /// For the log.
  public let description: String

  public init(_ description: String) { self.description = description }
}
