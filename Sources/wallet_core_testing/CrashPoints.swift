internal import Glibc
internal import WalletPlatform

/// Places where tests kill the process.
final class CrashPoints: Sendable {
  private struct State {
    var armed: String?
    var counts: [String: Int64] = [:]
  }

  private let state = Monitor(State())

  func arm(_ name: String?) { state.withLock { $0.armed = name } }

  func count(_ name: String) -> Int64 { state.withLock { $0.counts[name] ?? 0 } }

  /// Counts the pass and, at the armed place, ends the process as a kill does: nothing runs on.
  func pass(_ name: String) {
    let isArmed = state.withLock { state in
      state.counts[name, default: 0] += 1
      return state.armed == name
    }
    guard isArmed else { return }
    kill(getpid(), SIGKILL)
    while true { pause() }
  }
}
