internal import CWalletCore

/// A context of the host and how to release it.
struct HostContext: @unchecked Sendable {
  // Sendable: the pointer is only handed back to the host, whose functions the header demands to be
  // callable from any thread.
  let pointer: UnsafeMutableRawPointer?
  let destroy: wallet_core_destroy?

  /// Runs host code: only on a thread of the hostThreads, with no lock held, and once.
  func release() { destroy?(pointer) }
}

/// A callback of the host.
enum HostCallback: @unchecked Sendable {
  // Sendable: C functions that the header demands to be callable from any thread.
  case wakeup(wallet_core_wakeup_callback)
  case event(wallet_core_event_callback)

  /// Runs host code, as above.
  func call(_ context: HostContext, _ event: EventObject?) {
    switch self {
    case .wakeup(let function): function(context.pointer)
    case .event(let function):
      guard let event else { return }
      function(context.pointer, event.handOut())
    }
  }
}
