internal import WalletSystem

/// A plain thread of the library. Never the Swift pool nor a dispatch queue: these cannot be joined,
/// and a host that blocks one of them would stop the core.
public final class NamedThread: Sendable {
  /// The signal mask of the thread.
  public enum Signals: Sendable {
    /// Empty: for threads that run host code, which expects an ordinary thread.
    case unblocked
    /// Full, but for faults: a worker must never be where a host's signal handler runs; also a broken pipe
    /// then stays a return value.
    case blocked
  }

  private let thread: SystemThread

  /// Starts a thread named `name` (at most 15 bytes), or returns nil where the system has none left.
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
