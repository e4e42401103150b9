internal import WalletSystem

/// A plain thread of the library. The library uses neither the Swift thread pool nor dispatch
/// queues: their threads cannot be joined, and a host that blocks one of them would stop the core.
public final class NamedThread: Sendable {
  /// The signal mask of the thread.
  public enum Signals: Sendable {
    /// No signal is blocked: for threads that run host code, which expects an ordinary thread.
    case unblocked
    /// All signals but the fault signals are blocked. So a host's signal handler never runs on a
    /// thread of the core, and writing to a broken pipe only returns an error.
    case blocked
  }

  private let thread: SystemThread

  /// Starts a thread named `name` (at most 15 bytes), or returns nil if the system cannot start
  /// one.
  public init?(_ name: String, signals: Signals, body: @escaping @Sendable () -> Void) {
    do {
      thread = try SystemThread(name, blocksSignals: signals == .blocked, body: body)
    } catch { return nil }
  }

  /// Waits for the thread's end. Call it once, and never together with `detach`.
  public func join() { thread.join() }

  /// Lets the thread end on its own. Call it once.
  public func detach() { thread.detach() }
}
