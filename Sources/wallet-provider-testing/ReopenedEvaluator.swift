import Synchronization
import WalletProtocol
import WalletProvider

/// An evaluator whose files are opened anew on demand, as a start does, so that a test can put back
/// files while the process goes on.
final class ReopenedEvaluator: PinEvaluator, EvaluatorAdministration {
  typealias Administered = any PinEvaluator & EvaluatorAdministration

  let id: String
  let grantKeys: [PublishedKey]
  private let open: @Sendable () throws -> Administered
  private let current: Mutex<Administered>

  init(_ first: Administered, open: @escaping @Sendable () throws -> Administered) {
    id = first.id
    grantKeys = first.grantKeys
    current = Mutex(first)
    self.open = open
  }

  func reopen() throws {
    let opened = try open()
    current.withLock { $0 = opened }
  }

  private var evaluator: Administered { current.withLock { $0 } }

  func answer(_ request: EvaluatorRequest) async throws -> EvaluatorAnswer {
    try await evaluator.answer(request)
  }

  func unblock(key: String) async throws -> Bool { try await evaluator.unblock(key: key) }
  func delete(key: String) async throws { try await evaluator.delete(key: key) }
}
