public import Logging
public import WalletProvider

/// The log of a server process. It is written to standard error, and contains neither personal data
/// nor wallet ids.
public enum ServerLog {
  /// A logger with the configured level and format. Each entry of a request carries the request's
  /// id.
  public static func logger(_ settings: ServerSettings) -> Logger {
    let provider = RequestID.metadataProvider
    var logger = Logger(label: "wallet-provider") { label -> any LogHandler in
      switch settings.logFormat {
      case .text: StreamLogHandler.standardError(label: label, metadataProvider: provider)
      case .json: JSONLogHandler(metadataProvider: provider)
      }
    }
    logger.logLevel = settings.logLevel
    return logger
  }

  /// Warns about settings that no provider for real people should have, and about settings that are
  /// missing.
  public static func warn(of settings: ServerSettings, _ logger: Logger) {
    for note in settings.proofingNotes {
      logger.warning("not for real people", metadata: ["reason": .string(note.message)])
    }
    for note in settings.proxyNotes {
      logger.warning("no proxy is trusted", metadata: ["reason": .string(note.message)])
    }
    for note in settings.linkNotes {
      logger.warning("no host for links", metadata: ["reason": .string(note.message)])
    }
  }

  /// Logs which features are off. A provider that only checks PINs is normal, so this is a notice
  /// and no warning.
  public static func note(of settings: ServerSettings, _ logger: Logger) {
    for note in settings.sourceNotes {
      logger.notice("no identity proofing", metadata: ["reason": .string(note.message)])
    }
  }

  /// The reason of a failure, for the log. Only the store's descriptions are known to contain
  /// nothing personal; any other error is logged by the name of its type.
  static func reason(_ error: any Error) -> String {
    (error as? StoreFailure)?.description ?? String(describing: type(of: error))
  }

  /// Logs what an operator did, but not to which account or wallet.
  ///
  /// - Parameters:
  ///   - isDone: false if the account or wallet does not exist.
  ///   - settings: of the provider, which may be a demonstration.
  public static func administered(
    _ act: String, isDone: Bool, _ settings: ServerSettings, _ logger: Logger
  ) {
    var metadata: Logger.Metadata = [
      "act": .string(act), "result": .string(isDone ? "done" : "unknown"),
    ]
    if settings.provider.proofing.demonstration { metadata.merge(demonstration) { $1 } }
    logger.notice("administration", metadata: metadata)
  }

  /// What an entry has if the provider proofs people without an authoritative source.
  static let demonstration: Logger.Metadata = ["demonstration": "true"]

  /// An observer that logs to `logger`.
  public static func observer(_ settings: ServerSettings, _ logger: Logger) -> any ProviderObserver
  {
    LoggingObserver(
      logger: logger, isDemonstration: settings.provider.proofing.demonstration)
  }

  /// A function that logs changes of an update policy file to `logger`.
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

  /// A function that logs what the evaluator has found out about its database.
  public static func evaluatorReport(
    _ settings: ServerSettings
  ) -> @Sendable (_ finding: String) -> Void {
    let logger = logger(settings)
    return { logger.error("evaluator", metadata: ["finding": .string($0)]) }
  }
}
