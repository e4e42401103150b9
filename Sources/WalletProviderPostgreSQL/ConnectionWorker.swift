import WalletProvider
import WalletSystem

/// Runs transactions on the connection of one thread.
final class ConnectionWorker {
  private let url: DatabaseURL
  private let limits: DatabaseLimits
  private var connection: Connection?
  /// The server whose connection was lost last.
  private var lost: DatabaseServer?

  /// How often a transaction is tried if it conflicts with others, before its request is refused.
  private static let rounds = 5

  init(_ url: DatabaseURL, limits: DatabaseLimits) {
    self.url = url
    self.limits = limits
  }

  /// Runs `body` in a transaction. A failed transaction is repeated only if it was certainly not
  /// committed: the server said so, or the connection was lost before the commit was sent.
  ///
  /// - Throws: `StoreFailure`, or what `body` throws.
  func transaction<Answer>(
    clock: any ProviderClock, _ authentication: RowAuthentication,
    _ body: (PostgreSQLTransaction) throws -> Answer
  ) throws -> Answer {
    var round = 1
    while true {
      let transaction = PostgreSQLTransaction(
        try connected(), limits: limits, clock: clock, authentication: authentication)
      do {
        let answer = try body(transaction)
        try transaction.commit()
        return answer
      } catch let error as DatabaseError {
        transaction.rollBack()
        guard round < Self.rounds, transaction.canRunAnew(after: error) else {
          throw error.failure(
            doing: transaction.commitWasSent ? "commit, or say whether it did" : "run a transaction"
          )
        }
        Self.pause(afterRound: round)
        round += 1
      } catch {
        transaction.rollBack()
        throw error
      }
    }
  }

  /// Waits for some milliseconds, more after each round. At once a transaction could take its first
  /// row again before the one that waits for it does, and both would conflict anew.
  private static func pause(afterRound round: Int) {
    let condition = LockCondition()
    condition.lock()
    condition.sleep(milliseconds: .random(in: 1...Int64(5 * round)))
    condition.unlock()
  }

  /// Runs a statement that changes nothing; repeats it once if the connection was lost.
  func read(_ statement: Statement) throws -> QueryResult? {
    var isFirst = true
    while true {
      do {
        return try connected().run([statement], within: limits.transaction).last
      } catch let error as DatabaseError {
        guard isFirst, case .lost = error else { throw error.failure(doing: "read") }
        isFirst = false
      }
    }
  }

  private func connected() throws -> Connection {
    if let connection, !connection.isLost { return connection }
    // Of several servers another may be the primary now.
    let former = connection?.server ?? lost
    (connection, lost) = (nil, former)
    do {
      let connection = try Connection(url, limits: limits, last: former)
      self.connection = connection
      return connection
    } catch let error as DatabaseError { throw error.failure(doing: "connect") }
  }
}
