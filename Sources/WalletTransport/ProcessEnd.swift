internal import Glibc
internal import WalletModel
internal import WalletPlatform

/// Ends transfers before the process does.
///
/// `exit` tears TLS libraries down while other threads go on; one that is inside of libcurl then would take
/// the host's process down with a signal. So an exit waits until nobody is.
enum ProcessEnd {
  private struct State: Sendable {
    /// When nobody waits any longer; set by the first handler that runs.
    var deadline: Milliseconds?
    /// Threads inside of libcurl, each with what makes it come out.
    var inside: [UInt64: @Sendable () -> Void] = [:]
    var last: UInt64 = 0
  }

  private static let state = Monitor(State())
  /// The child of a fork has the parent's handlers and none of its threads.
  private static let owner = getpid()
  /// A transfer comes out at once; a TLS library that is being loaded takes its time.
  private static let patience: Milliseconds = 5_000

  /// Whether the process is ending, so that a transfer has to.
  static var isEnding: Bool { state.withLock { $0.deadline != nil } }

  /// Has exits wait from here on. Handlers run in the reverse order of their registration, so this is called
  /// again whenever a library may have registered its own.
  static func watch() {
    guard owner == getpid() else { return }
    // 0, or there is no memory for it: then the exit is as it was.
    _ = atexit { ProcessEnd.wait() }
  }

  /// Runs `body`, which is inside of libcurl.
  ///
  /// - Parameter comeOut: Makes `body` end soon; called on the thread that exits, perhaps late.
  /// - Throws: `cancelled` where the process is ending already, and what `body` throws.
  static func whileInside<Result>(
    comeOut: @escaping @Sendable () -> Void, _ body: () throws(WalletError) -> Result
  ) throws(WalletError) -> Result {
    let number = state.update { state -> UInt64? in
      guard state.deadline == nil else { return nil }
      state.last &+= 1
      state.inside[state.last] = comeOut
      return state.last
    }
    guard let number else { throw WalletError(.cancelled, "The process is ending.") }
    defer { state.update { $0.inside[number] = nil } }
    return try body()
  }

  private static func wait() {
    guard owner == getpid() else { return }
    let clock = SystemClock()
    let (deadline, waiting) = state.update { state in
      let deadline = state.deadline ?? clock.now().addingReportingOverflow(patience).partialValue
      state.deadline = deadline
      return (deadline, Array(state.inside.values))
    }
    for comeOut in waiting { comeOut() }
    _ = state.wait(until: deadline, clock: clock) { $0.inside.isEmpty ? true : nil }
  }
}
