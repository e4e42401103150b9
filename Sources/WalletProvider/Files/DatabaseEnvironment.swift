import WalletSystem

/// What a database is told besides its URL.
public enum DatabaseEnvironment {
  /// The password in `PGPASSWORD`, the variable of libpq; nil if it is not set. It is removed from
  /// the environment on first use, like the keys of `KeyEnvironment.process` and for the same
  /// reasons: the first use must come at the very beginning of a program.
  public static let password = ProcessEnvironment.take("PGPASSWORD")
}
