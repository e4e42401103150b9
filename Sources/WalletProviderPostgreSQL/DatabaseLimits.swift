/// The number of connections and the time limits of a database. All durations are milliseconds.
public struct DatabaseLimits: Sendable, Equatable {
  /// Connections per pool, each with its own thread; at least 1.
  public var connections = 8
  /// The maximum number of transactions that wait for a connection.
  public var waiting = 1024
  /// How long a transaction may wait for a connection.
  public var connectionWait: Int64 = 5_000
  /// How long connecting to one host may take; libpq rounds it up to seconds.
  public var connect: Int64 = 5_000
  /// How long the server may work on one statement.
  public var statement: Int64 = 5_000
  /// How long a statement may wait for a locked row.
  public var lock: Int64 = 3_000
  /// The time after which the server ends an idle transaction.
  public var idleTransaction: Int64 = 10_000
  /// How long a whole transaction may take by this machine's clock, in case the server no longer
  /// responds. Longer than `statement`.
  public var transaction: Int64 = 10_000

  public init() {}
}
