internal import WalletPlatform

/// The tries to delete all orphaned platform keys, of wipes and of starts.
///
/// A start does not try if a whole try has begun since the start. Otherwise a start whose turn comes
/// after a wipe would immediately ask the bridges again for the keys that the wipe has left.
final class OrphanTries: Sendable {
  private struct State: Sendable {
    var begun: UInt64 = 0
    /// The number of the last try that was not interrupted.
    var lastWhole: UInt64 = 0
  }

  private let state = Monitor(State())

  /// How many tries have begun. The last one may still be running, with earlier bridges.
  var begun: UInt64 { state.withLock { $0.begun } }

  /// Begins a try. Returns its number.
  func begin() -> UInt64 {
    state.withLock { state in
      state.begun &+= 1
      return state.begun
    }
  }

  /// Notes that a try has ended without an interruption, whether it has deleted the keys or not.
  func end(_ number: UInt64) {
    state.withLock { $0.lastWhole = max($0.lastWhole, number) }
  }

  /// Whether a whole try has begun after the first `count` tries.
  func hasWholeOne(after count: UInt64) -> Bool { state.withLock { $0.lastWhole > count } }
}
