public import CWalletCore
internal import WalletModel

// Section 7 of the header: the sinks through which events reach a host.

@_cdecl("wallet_core_client_next_event") @implementation
public func wallet_core_client_next_event(
  _ client: wallet_core_client, _ timeout: Int64,
  _ event: UnsafeMutablePointer<OpaquePointer?>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> wallet_core_status {
  event?.pointee = nil
  return answer(error) { () throws(WalletError) in
    let core = try CoreInstance.core()
    if HostThread.isCurrent { throw .reentrant }
    guard let event else { throw .argument("event is NULL.") }
    guard timeout >= -1 else { throw .argument("timeout_ms is less than -1.") }
    let client = try core.client(client)
    let next = try client.next(timeout: timeout == -1 ? nil : timeout)
    event.pointee = next.handOut(client.unfreed)
  }
}

@_cdecl("wallet_core_client_interrupt") @implementation
public func wallet_core_client_interrupt(
  _ client: wallet_core_client, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> wallet_core_status {
  answer(error) { () throws(WalletError) in
    try CoreInstance.core().client(client).interrupt()
  }
}

/// Sets a callback, for all setters.
func setEventSink(
  _ sink: EventSink, _ client: wallet_core_client, _ callback: HostCallback?,
  _ context: UnsafeMutableRawPointer?, _ destroy: wallet_core_destroy?,
  _ token: UnsafeMutablePointer<UInt64>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> wallet_core_status {
  token?.pointee = 0
  return answer(error) { () throws(WalletError) in
    let core = try CoreInstance.core()
    guard let callback else { throw .argument("callback is NULL; use the clear function.") }
    let client = try core.client(client)
    if let stream = sink.stream { core.renew(stream, of: client) }
    try client.set(
      sink, callback, HostContext(pointer: context, destroy: destroy), token: token)
  }
}

/// Clears a callback, for all clear functions.
func clearEventSink(
  _ sink: EventSink, _ client: wallet_core_client, _ token: UInt64,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> wallet_core_status {
  answer(error) { () throws(WalletError) in
    try CoreInstance.core().client(client).clear(sink, token: token)
  }
}

@_cdecl("wallet_core_set_wakeup") @implementation
public func wallet_core_set_wakeup(
  _ client: wallet_core_client, _ callback: wallet_core_wakeup_callback?,
  _ context: UnsafeMutableRawPointer?, _ destroy: wallet_core_destroy?,
  _ token: UnsafeMutablePointer<UInt64>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> wallet_core_status {
  setEventSink(.wakeup, client, callback.map { .wakeup($0) }, context, destroy, token, error)
}

@_cdecl("wallet_core_clear_wakeup") @implementation
public func wallet_core_clear_wakeup(
  _ client: wallet_core_client, _ token: UInt64, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> wallet_core_status {
  clearEventSink(.wakeup, client, token, error)
}

@_cdecl("wallet_core_set_event_callback") @implementation
public func wallet_core_set_event_callback(
  _ client: wallet_core_client, _ callback: wallet_core_event_callback?,
  _ context: UnsafeMutableRawPointer?, _ destroy: wallet_core_destroy?,
  _ token: UnsafeMutablePointer<UInt64>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> wallet_core_status {
  setEventSink(.events, client, callback.map { .event($0) }, context, destroy, token, error)
}

@_cdecl("wallet_core_clear_event_callback") @implementation
public func wallet_core_clear_event_callback(
  _ client: wallet_core_client, _ token: UInt64, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> wallet_core_status {
  clearEventSink(.events, client, token, error)
}

@_cdecl("wallet_core_set_configuration_stream") @implementation
public func wallet_core_set_configuration_stream(
  _ client: wallet_core_client, _ callback: wallet_core_event_callback?,
  _ context: UnsafeMutableRawPointer?, _ destroy: wallet_core_destroy?,
  _ token: UnsafeMutablePointer<UInt64>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> wallet_core_status {
  setEventSink(.configuration, client, callback.map { .event($0) }, context, destroy, token, error)
}

@_cdecl("wallet_core_clear_configuration_stream") @implementation
public func wallet_core_clear_configuration_stream(
  _ client: wallet_core_client, _ token: UInt64, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> wallet_core_status {
  clearEventSink(.configuration, client, token, error)
}

@_cdecl("wallet_core_set_lock_stream") @implementation
public func wallet_core_set_lock_stream(
  _ client: wallet_core_client, _ callback: wallet_core_event_callback?,
  _ context: UnsafeMutableRawPointer?, _ destroy: wallet_core_destroy?,
  _ token: UnsafeMutablePointer<UInt64>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> wallet_core_status {
  setEventSink(.lockState, client, callback.map { .event($0) }, context, destroy, token, error)
}

@_cdecl("wallet_core_clear_lock_stream") @implementation
public func wallet_core_clear_lock_stream(
  _ client: wallet_core_client, _ token: UInt64, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> wallet_core_status {
  clearEventSink(.lockState, client, token, error)
}

@_cdecl("wallet_core_set_version_state_stream") @implementation
public func wallet_core_set_version_state_stream(
  _ client: wallet_core_client, _ callback: wallet_core_event_callback?,
  _ context: UnsafeMutableRawPointer?, _ destroy: wallet_core_destroy?,
  _ token: UnsafeMutablePointer<UInt64>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> wallet_core_status {
  setEventSink(.versionState, client, callback.map { .event($0) }, context, destroy, token, error)
}

@_cdecl("wallet_core_clear_version_state_stream") @implementation
public func wallet_core_clear_version_state_stream(
  _ client: wallet_core_client, _ token: UInt64, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> wallet_core_status {
  clearEventSink(.versionState, client, token, error)
}
