internal import WalletPlatform
internal import WalletSystem

/// The crash points at which tests kill the process.
final class CrashPoints: Sendable {
  private struct State {
    var armed: String?
    /// How many more passes of the armed crash point until the process is killed.
    var passesLeft = 1
    var counts: [String: Int64] = [:]
  }

  private let state = Monitor(State())

  /// Arms a crash point; `NAME#2` kills at its second pass from now on.
  func arm(_ name: String?) {
    let parts = name?.split(separator: "#", maxSplits: 1) ?? []
    state.withLock { state in
      state.armed = parts.first.map(String.init)
      state.passesLeft = parts.count > 1 ? Int(parts[1]) ?? 1 : 1
    }
  }

  func count(_ name: String) -> Int64 { state.withLock { $0.counts[name] ?? 0 } }

  /// Counts the pass and, at the armed crash point, kills the process: no further code runs.
  func pass(_ name: String) {
    let isArmed = state.withLock { state in
      state.counts[name, default: 0] += 1
      guard state.armed == name else { return false }
      state.passesLeft -= 1
      return state.passesLeft <= 0
    }
    if isArmed { CurrentProcess.kill() }
  }
}
