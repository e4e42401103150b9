/// The store of an evaluator's rows. It contains no rules.
public protocol EvaluatorStore: Sendable {
  /// Runs `body` in one write transaction that excludes every other one on this store. The changes
  /// are on disk when this returns. Rolls back when `body` throws, and rethrows the error.
  ///
  /// - Throws: `EvaluatorFailure` if the store itself fails.
  func transaction<Result: Sendable>(
    _ body: @escaping @Sendable (any EvaluatorTransaction) throws -> Result
  ) async throws -> Result
}

/// Access to rows within one transaction.
public protocol EvaluatorTransaction {
  /// The current time in milliseconds since 1970.
  var now: Int64 { get throws }

  /// Random, and the same for as long as the store's rows are known to be the newest ones. A wallet
  /// of another generation may have had more attempts than its row says.
  var generation: String { get }

  /// The wallet whose current or pending PIN key has this id, or nil. Its generation is empty if a
  /// newer row of the wallet was written, and its count is no lower than the one that was kept.
  func wallet(key: String) throws -> EvaluatedWallet?
  /// The wallet that was opened by the request with this SHA-256 hash, or nil.
  func wallet(openedBy request: [UInt8]) throws -> EvaluatedWallet?
  func insert(_ wallet: EvaluatedWallet, openedBy request: [UInt8]) throws
  /// Replaces the row with the same id and raises its version.
  func update(_ wallet: EvaluatedWallet) throws
  /// Keeps the count of a wallet that is in its last round, where no row that is put back changes it.
  /// Forgets the count of a wallet that is not.
  func keepCount(of wallet: EvaluatedWallet, isInLastRound: Bool) throws
  func delete(id: String) throws
  /// Deletes wallets that expired at `time` or before, perhaps not all of them at once.
  func deleteExpired(by time: Int64) throws
}

/// A failure of the evaluator. Nothing was answered; the same request may be sent again.
public struct EvaluatorFailure: Error, CustomStringConvertible {
  /// For the log. Contains no content of a row.
  public let description: String

  public init(_ description: String) { self.description = description }
}
