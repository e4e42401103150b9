import Logging
import WalletProvider

/// Logs the outcomes of PIN attempts and identity proofings without identifying anyone.
struct LoggingObserver: ProviderObserver {
  let logger: Logger
  /// Whether people are proofed without an authoritative source; each outcome says so.
  let isDemonstration: Bool

  func attemptAnswered(_ outcome: AttemptOutcome) {
    logger.info("attempt judged", metadata: ["judgement": .string(outcome.rawValue)])
  }

  func proofingAnswered(_ notice: ProofingNotice) {
    var metadata: Logger.Metadata = [
      "instruction": .string(notice.instruction), "result": .string(notice.result),
    ]
    if let reference = notice.reference { metadata["reference"] = .string(reference) }
    if isDemonstration { metadata.merge(ServerLog.demonstration) { $1 } }
    logger.info("proofing answered", metadata: metadata)
  }
}
