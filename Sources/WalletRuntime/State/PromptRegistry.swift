internal import WalletPlatform

/// The platform prompts that are open or queued, so that a lock, the background, a wipe and a
/// take-over can end every prompt.
final class PromptRegistry: Sendable {
  private struct State {
    /// The prompts in the order in which they were added, each with the value that
    /// `WalletLock.epoch` (the count of locks) had when it began.
    var waiting: [(cancellation: Cancellation, epoch: UInt64)] = []
    /// The count of the latest lock that has ended the prompts before it.
    var lastLock: UInt64 = 0
  }

  private let state = Monitor(State())

  /// Adds `cancellation` when the prompt is requested. A repeated call changes nothing.
  ///
  /// - Parameter epoch: The count of locks when the operation that prompts began. A later lock ends
  ///   the prompt, even if `cancelAll(before:)` was called for that lock before this call.
  func expect(_ cancellation: Cancellation, since epoch: UInt64) {
    let isOver = state.withLock { state in
      if state.waiting.contains(where: { $0.cancellation === cancellation }) { return false }
      guard epoch >= state.lastLock else { return true }
      state.waiting.append((cancellation, epoch))
      return false
    }
    if isOver { cancellation.cancel() }
  }

  /// Removes the cancellation of a prompt that has ended or will not be shown. May be called more
  /// than once.
  func forget(_ cancellation: Cancellation) {
    state.withLock { $0.waiting.removeAll { $0.cancellation === cancellation } }
  }

  /// Ends every prompt without waiting.
  func cancelAll() { cancel { _ in true } }

  /// Ends every prompt that began before the lock with the count `epoch`, without waiting. It
  /// spares later prompts: when the thread that locked calls this, a prompt to unlock the wallet
  /// again may be open already.
  func cancelAll(before epoch: UInt64) {
    state.withLock { $0.lastLock = max($0.lastLock, epoch) }
    cancel { $0 < epoch }
  }

  /// Cancels the newest prompt first. When the open prompt ends, the next one starts, and that one
  /// must be cancelled by then.
  private func cancel(_ isOver: (UInt64) -> Bool) {
    let ended = state.withLock { state in
      let ended = state.waiting.filter { isOver($0.epoch) }
      state.waiting.removeAll { isOver($0.epoch) }
      return ended
    }
    for prompt in ended.reversed() { prompt.cancellation.cancel() }
  }
}
