internal import WalletPlatform

/// Knows who waits for a prompt of the platform, or will once it is their turn, so that a lock, the
/// background, a wipe and a take-over end every prompt, whoever asked for it.
final class PromptKeeper: Sendable {
  private let state = Monitor<[ObjectIdentifier: Cancellation]>([:])

  /// Takes `cancellation` in, from when the prompt is asked for; a second word changes nothing.
  func expect(_ cancellation: Cancellation) {
    state.withLock { $0[ObjectIdentifier(cancellation)] = cancellation }
  }

  /// The prompt is over, or will not come; more than once is fine.
  func forget(_ cancellation: Cancellation) {
    state.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(cancellation)) }
  }

  /// Ends every prompt; never waits.
  func cancelAll() {
    let cancellations = state.withLock { state in
      defer { state = [:] }
      return Array(state.values)
    }
    for cancellation in cancellations { cancellation.cancel() }
  }
}
