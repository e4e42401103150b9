internal import CWalletCore
internal import WalletPlatform

/// The hooks from init, which run on every thread with host code.
struct ThreadHooks: @unchecked Sendable {
  // Sendable: the functions must be callable from any thread, as the header says, and the context
  // is only passed back to them.
  let start: wallet_core_thread_hook?
  let stop: wallet_core_thread_hook?
  let context: UnsafeMutableRawPointer?
}

/// The threads that run host code: starts them, counts them and limits how many may be stuck.
final class HostThreads: Sendable {
  private struct Count {
    var living = 0
    var retired = 0
  }

  /// The most threads that may be stuck in host code before no more are started.
  static let retiredLimit = 64

  private let hooks: ThreadHooks
  private let count = Monitor(Count())

  init(hooks: ThreadHooks) { self.hooks = hooks }

  /// Whether threads start with host code.
  var hasStartHook: Bool { hooks.start != nil }

  /// Starts a thread that runs host code. Returns nil if no thread can be started.
  func start(
    _ name: String, _ role: HostRole, body: @escaping @Sendable () -> Void
  ) -> NamedThread? {
    let isAllowed = count.withLock { count in
      guard count.retired < Self.retiredLimit else { return false }
      count.living += 1
      return true
    }
    guard isAllowed else { return nil }
    let thread = NamedThread(name, signals: .unblocked) { [self] in
      HostThread.mark(role)
      hooks.start?(hooks.context)
      body()
      hooks.stop?(hooks.context)
      count.update { $0.living -= 1 }
    }
    if thread == nil { count.update { $0.living -= 1 } }
    return thread
  }

  /// Notes that a thread was left behind inside host code.
  func retire() { count.withLock { $0.retired += 1 } }

  /// Notes that such a thread has returned after all.
  func threadReturned() { count.withLock { $0.retired -= 1 } }

  /// Waits until all threads have ended, at most until `deadline` of the system's clock. Returns
  /// whether they have.
  func areGone(by deadline: Milliseconds) -> Bool {
    count.wait(until: deadline, clock: SystemBootClock()) { $0.living == 0 ? true : nil } ?? false
  }
}
