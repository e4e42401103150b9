public import CWalletCore
internal import WalletModel

// Section 7 of the header: reading and freeing events.

@_cdecl("wallet_core_event_kind") @implementation
public func wallet_core_event_kind(_ event: OpaquePointer?) -> wallet_core_kind {
  EventObject.borrow(event)?.kind ?? wallet_core_kind(0)
}

@_cdecl("wallet_core_event_request") @implementation
public func wallet_core_event_request(_ event: OpaquePointer?) -> UInt64 {
  EventObject.borrow(event)?.request ?? 0
}

@_cdecl("wallet_core_event_status") @implementation
public func wallet_core_event_status(_ event: OpaquePointer?) -> wallet_core_status {
  EventObject.borrow(event)?.error?.code ?? WALLET_CORE_OK
}

@_cdecl("wallet_core_event_error") @implementation
public func wallet_core_event_error(_ event: OpaquePointer?) -> OpaquePointer? {
  EventObject.borrow(event)?.error?.borrowedPointer
}

@_cdecl("wallet_core_event_is_locked") @implementation
public func wallet_core_event_is_locked(_ event: OpaquePointer?) -> Int32 {
  if case .lockState(.unlocked) = EventObject.borrow(event)?.content { 0 } else { 1 }
}

@_cdecl("wallet_core_event_locks_in_ms") @implementation
public func wallet_core_event_locks_in_ms(_ event: OpaquePointer?) -> Int64 {
  guard case .lockState(.unlocked(let locksIn)) = EventObject.borrow(event)?.content else {
    return 0
  }
  return locksIn ?? 0
}

@_cdecl("wallet_core_event_version_grade") @implementation
public func wallet_core_event_version_grade(_ event: OpaquePointer?) -> wallet_core_version_grade {
  switch EventObject.borrow(event)?.versionState {
  case nil, .ok: WALLET_CORE_GRADE_OK
  case .recommend: WALLET_CORE_GRADE_RECOMMEND
  case .warn: WALLET_CORE_GRADE_WARN
  case .block: WALLET_CORE_GRADE_BLOCK
  }
}

@_cdecl("wallet_core_event_version_blocked_in_ms") @implementation
public func wallet_core_event_version_blocked_in_ms(_ event: OpaquePointer?) -> Int64 {
  guard case .warn(let milliseconds) = EventObject.borrow(event)?.versionState else { return 0 }
  return milliseconds
}

@_cdecl("wallet_core_event_version_is_update_available") @implementation
public func wallet_core_event_version_is_update_available(_ event: OpaquePointer?) -> Int32 {
  guard case .block(updateAvailable: true) = EventObject.borrow(event)?.versionState else {
    return 0
  }
  return 1
}

@_cdecl("wallet_core_event_pin_outcome") @implementation
public func wallet_core_event_pin_outcome(_ event: OpaquePointer?) -> wallet_core_pin_outcome {
  EventObject.borrow(event)?.pinAnswer?.code ?? WALLET_CORE_PIN_OUTCOME_NOT_JUDGED
}

@_cdecl("wallet_core_event_pin_attempts_left") @implementation
public func wallet_core_event_pin_attempts_left(_ event: OpaquePointer?) -> Int32 {
  Int32(clamping: EventObject.borrow(event)?.pinAnswer?.attemptsLeft ?? 0)
}

@_cdecl("wallet_core_event_pin_is_final_round") @implementation
public func wallet_core_event_pin_is_final_round(_ event: OpaquePointer?) -> Int32 {
  EventObject.borrow(event)?.pinAnswer?.isFinalRound == true ? 1 : 0
}

@_cdecl("wallet_core_event_pin_blocked_for_ms") @implementation
public func wallet_core_event_pin_blocked_for_ms(_ event: OpaquePointer?) -> Int64 {
  Int64(clamping: EventObject.borrow(event)?.pinAnswer?.blockedFor ?? 0)
}

@_cdecl("wallet_core_event_pin_failed_attempts") @implementation
public func wallet_core_event_pin_failed_attempts(_ event: OpaquePointer?) -> Int32 {
  Int32(clamping: EventObject.borrow(event)?.pinAnswer?.failures?.count ?? 0)
}

@_cdecl("wallet_core_event_pin_last_failed_at") @implementation
public func wallet_core_event_pin_last_failed_at(_ event: OpaquePointer?) -> Int64 {
  EventObject.borrow(event)?.pinAnswer?.failures?.lastAt ?? 0
}

@_cdecl("wallet_core_event_replacement_session") @implementation
public func wallet_core_event_replacement_session(
  _ event: OpaquePointer?
) -> UnsafePointer<CChar> {
  StaticText.show(EventObject.borrow(event)?.replacementSession, or: "", nil)
}

@_cdecl("wallet_core_event_replacement_takes_effect_in_ms") @implementation
public func wallet_core_event_replacement_takes_effect_in_ms(_ event: OpaquePointer?) -> Int64 {
  EventObject.borrow(event)?.content.notices.replacement?.takesEffectIn ?? 0
}

@_cdecl("wallet_core_event_json") @implementation
public func wallet_core_event_json(
  _ event: OpaquePointer?, _ length: UnsafeMutablePointer<Int>?
) -> UnsafePointer<CChar> {
  StaticText.show(EventObject.borrow(event)?.json, or: "{}", length)
}

@_cdecl("wallet_core_event_free") @implementation
public func wallet_core_event_free(_ event: OpaquePointer?) {
  EventObject.free(event)
}
