internal import WalletSystem

/// A plain thread of the library. Neither the Swift thread pool nor dispatch queues are used,
/// because they cannot be joined, and a host that blocks one of their threads would stop the core.
public final class NamedThread: Sendable {
  /// The signal mask of the thread.
  public enum Signals: Sendable {
    /// Empty: for threads that run host code, which expects an ordinary thread.
    case unblocked
    /// All but the fault signals: a host's signal handler must not run on a thread of the core, and
    /// a broken pipe stays a return value.
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

  /// Waits for the thread's end. Once, and never together with `detach`.
  public func join() { thread.join() }

  /// Lets the thread end on its own. Once.
  public func detach() { thread.detach() }
}
