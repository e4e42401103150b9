/// How many connections there are and how long anything may take. All durations are milliseconds.
public struct DatabaseLimits: Sendable, Equatable {
  /// Connections of one pool, each with a thread of its own; at least 1.
  public var connections = 8
  /// Transactions that may wait for a connection.
  public var waiting = 1024
  /// How long one may wait for a connection.
  public var connectionWait: Int64 = 5_000
  /// How long connecting to one host may take, rounded up to seconds by libpq.
  public var connect: Int64 = 5_000
  /// How long the server works on one statement.
  public var statement: Int64 = 5_000
  /// How long a statement waits for a locked row.
  public var lock: Int64 = 3_000
  /// After so long the server ends a transaction that says nothing.
  public var idleTransaction: Int64 = 10_000
  /// How long a whole transaction may take, by this machine's clock: for a server that no longer
  /// answers. Longer than `statement`.
  public var transaction: Int64 = 10_000

  public init() {}
}
