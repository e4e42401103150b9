internal import CPosix
internal import Glibc

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

  private let handle: pthread_t

  private final class Start: Sendable {
    let name: String
    let signals: Signals
    let body: @Sendable () -> Void

    init(name: String, signals: Signals, body: @escaping @Sendable () -> Void) {
      self.name = name
      self.signals = signals
      self.body = body
    }

    func run() {
      pthread_setname_np(pthread_self(), name)
      var mask = sigset_t()
      switch signals {
      case .unblocked: sigemptyset(&mask)
      case .blocked:
        sigfillset(&mask)
        // These signals report a fault of this thread. If they were blocked, the process would end
        // without a report.
        for fault in [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT] { sigdelset(&mask, fault) }
      }
      pthread_sigmask(SIG_SETMASK, &mask, nil)
      body()
    }
  }

  /// Starts a thread named `name` (at most 15 bytes), or returns nil if the system cannot start
  /// one.
  public init?(_ name: String, signals: Signals, body: @escaping @Sendable () -> Void) {
    let start = Unmanaged.passRetained(Start(name: name, signals: signals, body: body))
    var handle = pthread_t()
    // The new thread inherits this mask and must not receive a signal before it has set its own.
    var all = sigset_t()
    var before = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_SETMASK, &all, &before)
    let status = pthread_create(
      &handle, nil,
      { argument in
        guard let argument else { return nil }
        Unmanaged<Start>.fromOpaque(argument).takeRetainedValue().run()
        return nil
      }, start.toOpaque())
    pthread_sigmask(SIG_SETMASK, &before, nil)
    guard status == 0 else {
      start.release()
      return nil
    }
    self.handle = handle
  }

  /// Waits until the thread has ended. Call it once, and not together with `detach`.
  public func join() { pthread_join(handle, nil) }

  /// Lets the thread end by itself. Call it once.
  public func detach() { pthread_detach(handle) }
}
