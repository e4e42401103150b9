internal import WalletPlatform

/// The platform prompts that are open or queued, so that a lock, the background, a wipe and a
/// take-over can end every prompt.
final class PromptRegistry: Sendable {
  /// In the order in which they were added.
  private let state = Monitor<[Cancellation]>([])

  /// Adds `cancellation` when the prompt is requested. A repeated call changes nothing.
  func expect(_ cancellation: Cancellation) {
    state.withLock { waiting in
      if !waiting.contains(where: { $0 === cancellation }) { waiting.append(cancellation) }
    }
  }

  /// Removes the cancellation of a prompt that has ended or will not be shown. May be called more
  /// than once.
  func forget(_ cancellation: Cancellation) {
    state.withLock { $0.removeAll { $0 === cancellation } }
  }

  /// Ends every prompt without waiting. The newest comes first: when an open prompt ends, the next
  /// one starts, and it must be cancelled by then.
  func cancelAll() {
    let cancellations = state.withLock { waiting in
      defer { waiting = [] }
      return waiting
    }
    for cancellation in cancellations.reversed() { cancellation.cancel() }
  }
}
