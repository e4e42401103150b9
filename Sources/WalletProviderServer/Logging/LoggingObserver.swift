import Logging
import WalletProvider

/// Writes to the log what became of attempts, never whose they were.
struct LoggingObserver: ProviderObserver {
  let logger: Logger

  func attemptAnswered(_ outcome: AttemptOutcome) {
    logger.info("attempt judged", metadata: ["judgement": .string(outcome.rawValue)])
  }

  func proofingAnswered(_ notice: ProofingNotice) {
    var metadata: Logger.Metadata = [
      "instruction": .string(notice.instruction), "result": .string(notice.result),
    ]
    if let reference = notice.reference { metadata["reference"] = .string(reference) }
    logger.info("proofing answered", metadata: metadata)
  }
}
