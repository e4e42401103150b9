internal import WalletPlatform

/// The platform prompts that are open or queued, so that a lock, the background, a wipe and a
/// take-over can end every prompt.
final class PromptRegistry: Sendable {
  private struct State {
    /// In the order in which they were added, each with the count of locks at its beginning.
    var waiting: [(cancellation: Cancellation, epoch: UInt64)] = []
    /// The count of the newest lock that ended its prompts.
    var lastLock: UInt64 = 0
  }

  private let state = Monitor(State())

  /// Adds `cancellation` when the prompt is requested. A repeated call changes nothing.
  ///
  /// - Parameter epoch: The count of locks when the work with the prompt began. A later lock ends
  ///   the prompt, even if that lock was announced before this call.
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

  /// Ends every prompt that began before the lock of this count, without waiting. The thread that
  /// locked may be late: a prompt to unlock the wallet again may be open already.
  func cancelAll(before epoch: UInt64) {
    state.withLock { $0.lastLock = max($0.lastLock, epoch) }
    cancel { $0 < epoch }
  }

  /// The newest comes first: when an open prompt ends, the next one starts, and it must be
  /// cancelled by then.
  private func cancel(_ isOver: (UInt64) -> Bool) {
    let ended = state.withLock { state in
      let ended = state.waiting.filter { isOver($0.epoch) }
      state.waiting.removeAll { isOver($0.epoch) }
      return ended
    }
    for prompt in ended.reversed() { prompt.cancellation.cancel() }
  }
}
