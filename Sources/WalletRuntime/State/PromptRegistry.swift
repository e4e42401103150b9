internal import WalletPlatform

/// Knows who waits for a prompt of the platform, or will once it is their turn, so that a lock, the
/// background, a wipe and a take-over end every prompt, whoever asked for it.
final class PromptRegistry: Sendable {
  /// The oldest first.
  private let state = Monitor<[Cancellation]>([])

  /// Takes `cancellation` in, from when the prompt is asked for; a second word changes nothing.
  func expect(_ cancellation: Cancellation) {
    state.withLock { waiting in
      if !waiting.contains(where: { $0 === cancellation }) { waiting.append(cancellation) }
    }
  }

  /// The prompt is over, or will not come; more than once is fine.
  func forget(_ cancellation: Cancellation) {
    state.withLock { $0.removeAll { $0 === cancellation } }
  }

  /// Ends every prompt; never waits. The newest first: the end of one that is open is the turn of the
  /// next, which must know by then that it will not come.
  func cancelAll() {
    let cancellations = state.withLock { waiting in
      defer { waiting = [] }
      return waiting
    }
    for cancellation in cancellations.reversed() { cancellation.cancel() }
  }
}
