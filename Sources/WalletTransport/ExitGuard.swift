internal import WalletModel
internal import WalletPlatform
internal import WalletSystem

/// Ends transfers before the process exits.
///
/// `exit` cleans up TLS libraries while other threads keep running. A thread inside libcurl would
/// then crash the host's process. So an exit waits until no thread is inside libcurl.
final class ExitGuard: Sendable {
  /// The guard of this process.
  static let shared = ExitGuard(clock: SystemBootClock())

  private struct State: Sendable {
    /// The time until which exits wait at most; set by the first exit handler that runs.
    var deadline: Milliseconds?
    /// The threads inside libcurl, each with a function that stops it soon.
    var inside: [UInt64: @Sendable () -> Void] = [:]
    var last: UInt64 = 0
  }

  /// The longest wait at an exit, in milliseconds. A transfer ends immediately, but loading a TLS
  /// library takes time.
  static let waitLimit: Milliseconds = 5_000

  private let state = Monitor(State())
  private let clock: any BootClock
  /// The process that made this guard. The child of a fork inherits the exit handlers but none of
  /// the threads, so there the handlers do nothing.
  private let owner = CurrentProcess.identifier

  init(clock: any BootClock) { self.clock = clock }

  /// Whether the process is exiting, so that transfers must end.
  var isEnding: Bool { state.withLock { $0.deadline != nil } }

  /// Makes exits wait from now on. Exit handlers run in the reverse order of their registration. So
  /// this is called again whenever a library may have registered a handler of its own, to run
  /// before that one.
  static func watch() {
    guard shared.owner == CurrentProcess.identifier else { return }
    // If there is no memory for the handler, the exit does not wait.
    _ = CurrentProcess.atExit { ExitGuard.shared.wait() }
  }

  /// Runs `body`, which calls libcurl.
  ///
  /// - Parameter stop: Makes `body` end soon; called on the thread that exits, possibly after
  ///   `body` has ended.
  /// - Throws: `cancelled` if the process is exiting already, and what `body` throws.
  func whileInside<Result>(
    stop: @escaping @Sendable () -> Void, _ body: () throws(WalletError) -> Result
  ) throws(WalletError) -> Result {
    let number = state.update { state -> UInt64? in
      guard state.deadline == nil else { return nil }
      state.last &+= 1
      state.inside[state.last] = stop
      return state.last
    }
    guard let number else { throw WalletError(.cancelled, "The process is exiting.") }
    defer { state.update { $0.inside[number] = nil } }
    return try body()
  }

  /// Waits until no thread is inside libcurl, but no longer than `waitLimit` after the first of
  /// these waits began.
  func wait() {
    guard owner == CurrentProcess.identifier else { return }
    let (deadline, waiting) = state.update { state in
      let deadline =
        state.deadline ?? clock.now().addingReportingOverflow(Self.waitLimit).partialValue
      state.deadline = deadline
      return (deadline, Array(state.inside.values))
    }
    for stop in waiting { stop() }
    _ = state.wait(until: deadline, clock: clock) { $0.inside.isEmpty ? true : nil }
  }
}
