internal import CWalletCore

/// A context pointer of the host and the function that releases it.
struct HostContext: @unchecked Sendable {
  // Sendable: the pointer is only passed back to the host, whose functions must be callable from
  // any thread, as the header says.
  let pointer: UnsafeMutableRawPointer?
  let destroy: wallet_core_destroy?

  /// Runs host code: call it once, on a thread of `HostThreads`, with no lock held.
  func release() { destroy?(pointer) }
}

/// A callback of the host.
enum HostCallback: @unchecked Sendable {
  // Sendable: C functions that must be callable from any thread, as the header says.
  case wakeup(wallet_core_wakeup_callback)
  case event(wallet_core_event_callback)

  /// Runs host code, under the same conditions as `HostContext.release()`.
  func call(_ context: HostContext, _ event: EventObject?) {
    switch self {
    case .wakeup(let function): function(context.pointer)
    case .event(let function):
      guard let event else { return }
      function(context.pointer, event.handOut())
    }
  }
}
