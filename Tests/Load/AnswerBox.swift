import ProtocolTestClient
import WalletPlatform

/// Answers that came to several threads.
final class AnswerBox: Sendable {
  private let answers = Monitor<[ProviderConnection.Answer]>([])

  var all: [ProviderConnection.Answer] { answers.withLock { $0 } }
  func add(_ answer: ProviderConnection.Answer) { answers.withLock { $0.append(answer) } }
}
