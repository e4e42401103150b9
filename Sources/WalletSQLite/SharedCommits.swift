public import GRDB
import Synchronization

/// Runs transactions on the writing connection of a database. Those that wait while another one is
/// committed are committed together, for the price of one.
///
/// The first one is committed on the thread of its caller, without passing to another thread and back;
/// at most one caller per database waits for the disk in this way.
///
/// Each has the changes of those before it, runs within a savepoint and, if it fails, undoes its own
/// changes and no others. None has a result before the commit is on disk. If the commit fails, none has
/// changed anything.
public final class SharedCommits<Rows>: Sendable {
  private struct Queue: Sendable {
    var waiting: [SharedTransaction<Rows>] = []
    /// Whether the writing connection will ask for those that wait.
    var isAsked = false
  }

  private let pool: DatabasePool
  private let most: Int
  private let together: @Sendable (Database, [SharedTransaction<Rows>]) throws -> Void
  private let queue = Mutex(Queue())

  /// - Parameters:
  ///   - most: how many are committed together.
  ///   - together: runs all of these in one transaction and commits it; throws if nothing was
  ///     committed.
  public init(
    _ pool: DatabasePool, most: Int,
    _ together: @escaping @Sendable (Database, [SharedTransaction<Rows>]) throws -> Void
  ) {
    self.pool = pool
    self.most = most
    self.together = together
  }

  /// Runs `body` in a transaction. Its changes are on disk when this returns.
  ///
  /// - Throws: what `body` throws, and errors of SQLite.
  public func run<Result: Sendable>(
    _ body: @escaping @Sendable (Rows) throws -> Result
  ) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
      let result = TransactionResult<Result>()
      add(
        SharedTransaction(
          body: { rows in
            do { result.set(.success(try body(rows))) } catch {
              result.set(.failure(error))
              throw error
            }
          },
          end: { failure in
            continuation.resume(with: result.value(unless: failure))
          }))
    }
  }

  /// How many transactions wait.
  package var waiting: Int { queue.withLock { $0.waiting.count } }

  private func add(_ transaction: SharedTransaction<Rows>) {
    let isFirst = queue.withLock { queue in
      queue.waiting.append(transaction)
      defer { queue.isAsked = true }
      return !queue.isAsked
    }
    if isFirst { pool.writeWithoutTransaction { runWaiting($0) } }
  }

  private func ask() { pool.asyncWriteWithoutTransaction { self.runWaiting($0) } }

  private func runWaiting(_ database: Database) {
    let transactions = queue.withLock { queue in
      let taken = Array(queue.waiting.prefix(most))
      queue.waiting.removeFirst(taken.count)
      return taken
    }
    var failure: (any Error)?
    do { try together(database, transactions) } catch { failure = error }
    for transaction in transactions { transaction.end(failure) }
    // What else uses the connection is served in between.
    let isMore = queue.withLock { queue in
      queue.isAsked = !queue.waiting.isEmpty
      return queue.isAsked
    }
    if isMore { ask() }
  }
}

/// One of the transactions that are committed together.
public struct SharedTransaction<Rows>: Sendable {
  fileprivate let body: @Sendable (Rows) throws -> Void
  /// Is called after the commit; with an error if it failed.
  fileprivate let end: @Sendable ((any Error)?) -> Void

  /// Runs it within the transaction of the database.
  ///
  /// - Parameters:
  ///   - isAlone: whether no other is committed with it.
  ///   - rows: makes the access to the rows when it begins.
  /// - Returns: False if it failed and its changes are undone.
  /// - Throws: an error that ends the whole transaction; that of a failed one that is alone.
  public func run(
    in database: Database, isAlone: Bool, _ rows: () throws -> Rows
  ) throws -> Bool {
    if isAlone {
      try body(try rows())
      return true
    }
    try database.cachedStatement(sql: "SAVEPOINT shared").execute()
    do { try body(try rows()) } catch {
      // SQLite ends the whole transaction itself after some errors, as on a full disk.
      guard database.isInsideTransaction else { throw error }
      try database.cachedStatement(sql: "ROLLBACK TO shared").execute()
      try database.cachedStatement(sql: "RELEASE shared").execute()
      return false
    }
    // If this fails, the result of the body no longer holds, and with it ends the whole transaction.
    try database.cachedStatement(sql: "RELEASE shared").execute()
    return true
  }
}

/// What a transaction has returned or thrown.
private final class TransactionResult<Value: Sendable>: Sendable {
  private let result = Mutex<Result<Value, any Error>?>(nil)

  func set(_ result: Result<Value, any Error>) { self.result.withLock { $0 = result } }

  /// The result, or `failure` if that kept the changes from the disk. Then what the transaction itself
  /// has thrown does not hold either: it may have seen changes of others that were undone.
  func value(unless failure: (any Error)?) -> Result<Value, any Error> {
    if let failure { return .failure(failure) }
    return result.withLock { $0 } ?? .failure(NothingWasRun())
  }
}

/// The transaction was not run, and nothing says why.
struct NothingWasRun: Error {}
