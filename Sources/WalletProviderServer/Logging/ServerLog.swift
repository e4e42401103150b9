public import Logging
public import WalletProvider

/// The log of a server process: standard error, no personal data, no ids of wallets.
public enum ServerLog {
  /// A logger that writes what the settings want, each entry of a request with the request's id.
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

  /// Warns of what the settings switch on that no provider of real people should have, and of what they
  /// lack.
  public static func warn(of settings: ServerSettings, _ logger: Logger) {
    for note in settings.proofingNotes {
      logger.warning("not for real people", metadata: ["reason": .string(note.message)])
    }
    for note in settings.linkNotes {
      logger.warning("no host for links", metadata: ["reason": .string(note.message)])
    }
  }

  /// What the log says of a failure: only the words of the store are known to hold nothing personal.
  static func reason(_ error: any Error) -> String {
    (error as? StoreFailure)?.description ?? String(describing: type(of: error))
  }

  /// Notes an act of administration, without whom it was done to.
  ///
  /// - Parameter isDone: false where there was nothing to do it to.
  public static func administered(_ act: String, isDone: Bool, _ logger: Logger) {
    logger.notice(
      "administration",
      metadata: ["act": .string(act), "result": .string(isDone ? "done" : "unknown")])
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
