import Logging
import WalletProvider

/// Writes to the log what became of attempts, never whose they were.
struct LoggingObserver: ProviderObserver {
  let logger: Logger

  func attemptWasJudged(_ judgement: AttemptJudgement) {
    logger.info("attempt judged", metadata: ["judgement": .string(judgement.rawValue)])
  }
}
