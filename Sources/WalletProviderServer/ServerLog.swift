public import Logging
public import WalletProvider

/// The log of a server process: standard error, no personal data, no ids of wallets.
public enum ServerLog {
  /// A logger that writes what is at `level` or above.
  public static func logger(level: Logger.Level) -> Logger {
    var logger = Logger(label: "wallet-provider") { StreamLogHandler.standardError(label: $0) }
    logger.logLevel = level
    return logger
  }

  /// What a provider tells of its work to `logger`.
  public static func observer(_ logger: Logger) -> any ProviderObserver {
    LoggingObserver(logger: logger)
  }

  /// What an update policy file tells of its changes to `logger`.
  public static func policyReport(
    _ logger: Logger
  ) -> @Sendable (UpdatePolicyFile.Change) -> Void {
    { change in
      switch change {
      case .taken(let rules):
        logger.notice("update policy taken", metadata: ["rules": .stringConvertible(rules)])
      case .refused(let reason):
        logger.error(
          "update policy refused, the one before stays", metadata: ["reason": .string(reason)])
      }
    }
  }
}
