internal import CWalletCore
internal import WalletPlatform

/// Passes the core's log lines to the host's callback on a separate thread, so that a slow callback
/// loses lines but delays nothing.
final class LogThread: Sendable {
  /// The log options of the host.
  struct Target: @unchecked Sendable {
    // Sendable: the function must be callable from any thread, as the header says, and the context
    // is only passed back to it.
    let callback: wallet_core_log_callback
    let context: UnsafeMutableRawPointer?
    let limit: LogLevel
  }

  private struct Line {
    let level: LogLevel
    let subsystem: String
    let message: String
  }

  private struct State {
    var lines: [Line] = []
    var dropped: UInt64 = 0
    var isEnded = false
    var thread: NamedThread?
    var hasLeft = false
  }

  /// The most lines that wait for a slow callback.
  private static let limit = 256

  private let target: Target
  private let state = Monitor(State())

  init(target: Target) { self.target = target }

  /// The log that writes to this thread.
  var log: Log {
    Log(limit: target.limit) { [self] level, subsystem, message in
      state.update { state in
        guard !state.isEnded else { return }
        guard state.lines.count < Self.limit else { return state.dropped += 1 }
        state.lines.append(Line(level: level, subsystem: subsystem, message: message))
      }
    }
  }

  /// Starts the thread. Returns false if none can be started.
  func start(hostThreads: HostThreads) -> Bool {
    let thread = hostThreads.start("wallet_core.log", .log) { [self] in drain() }
    state.withLock { $0.thread = thread }
    return thread != nil
  }

  /// Ends the thread after it has passed on the waiting lines. If the host's callback takes too
  /// long, the thread is left behind in it.
  func end() {
    let clock = SystemBootClock()
    let thread = state.update { state in
      state.isEnded = true
      defer { state.thread = nil }
      return state.thread
    }
    let hasLeft = state.wait(until: clock.now() + 500, clock: clock) { $0.hasLeft ? true : nil }
    if hasLeft == true { thread?.join() } else { thread?.detach() }
  }

  private func drain() {
    while let lines = nextLines() {
      for line in lines {
        line.subsystem.withCString { subsystem in
          line.message.withCString { message in
            target.callback(
              target.context, wallet_core_log_level(line.level.rawValue), subsystem, message)
          }
        }
      }
    }
    state.update { $0.hasLeft = true }
  }

  private func nextLines() -> [Line]? {
    let lines = state.wait(clock: SystemBootClock()) { state -> [Line]?? in
      var lines = state.lines
      state.lines = []
      if state.dropped > 0 {
        lines.append(
          Line(
            level: .warning, subsystem: "log",
            message: "\(state.dropped) lines were dropped; the log callback is too slow."))
        state.dropped = 0
      }
      if lines.isEmpty { return state.isEnded ? .some(nil) : nil }
      return lines
    }
    return lines ?? nil
  }
}
