import Synchronization
import WalletProtocol

/// An evaluator whose files are opened anew on demand, as a start does, so that a test can put back
/// files while the process goes on.
final class ReopenedEvaluator: PinEvaluator {
  let id: String
  let grantKeys: [PublishedKey]
  private let open: @Sendable () throws -> any PinEvaluator
  private let current: Mutex<any PinEvaluator>

  init(_ first: any PinEvaluator, open: @escaping @Sendable () throws -> any PinEvaluator) {
    id = first.id
    grantKeys = first.grantKeys
    current = Mutex(first)
    self.open = open
  }

  func reopen() throws {
    let opened = try open()
    current.withLock { $0 = opened }
  }

  func answer(_ request: EvaluatorRequest) async throws -> EvaluatorAnswer {
    let evaluator = current.withLock { $0 }
    return try await evaluator.answer(request)
  }
}
