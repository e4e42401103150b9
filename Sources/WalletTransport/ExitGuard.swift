internal import WalletModel
internal import WalletPlatform
internal import WalletSystem

/// Ends transfers before the process does.
///
/// `exit` tears TLS libraries down while other threads go on; one that is inside of libcurl then would take
/// the host's process down with a signal. So an exit waits until nobody is.
final class ExitGuard: Sendable {
  /// That of this process.
  static let shared = ExitGuard(clock: SystemBootClock())

  private struct State: Sendable {
    /// When nobody waits any longer; set by the first handler that runs.
    var deadline: Milliseconds?
    /// Threads inside of libcurl, each with what makes it come out.
    var inside: [UInt64: @Sendable () -> Void] = [:]
    var last: UInt64 = 0
  }

  /// A transfer comes out at once; a TLS library that is being loaded takes its time.
  static let patience: Milliseconds = 5_000

  private let state = Monitor(State())
  private let clock: any BootClock
  /// The child of a fork has the parent's handlers and none of its threads.
  private let owner = CurrentProcess.identifier

  init(clock: any BootClock) { self.clock = clock }

  /// Whether the process is ending, so that a transfer has to.
  var isEnding: Bool { state.withLock { $0.deadline != nil } }

  /// Has exits wait from here on. Handlers run in the reverse order of their registration, so this is called
  /// again whenever a library may have registered its own.
  static func watch() {
    guard shared.owner == CurrentProcess.identifier else { return }
    // Where there is no memory for it, the exit is as it was.
    _ = CurrentProcess.atExit { ExitGuard.shared.wait() }
  }

  /// Runs `body`, which is inside of libcurl.
  ///
  /// - Parameter comeOut: Makes `body` end soon; called on the thread that exits, perhaps late.
  /// - Throws: `cancelled` where the process is ending already, and what `body` throws.
  func whileInside<Result>(
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

  /// Waits until nobody is inside, but no longer than `patience` after the first of these waits began.
  func wait() {
    guard owner == CurrentProcess.identifier else { return }
    let (deadline, waiting) = state.update { state in
      let deadline =
        state.deadline ?? clock.now().addingReportingOverflow(Self.patience).partialValue
      state.deadline = deadline
      return (deadline, Array(state.inside.values))
    }
    for comeOut in waiting { comeOut() }
    _ = state.wait(until: deadline, clock: clock) { $0.inside.isEmpty ? true : nil }
  }
}
