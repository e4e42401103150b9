import Logging
import WalletProvider

/// Logs the outcomes of PIN attempts and identity proofings without identifying anyone.
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
