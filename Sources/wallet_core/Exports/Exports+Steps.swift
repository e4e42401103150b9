public import CWalletCore
internal import WalletModel

// Section 10 of the header: reading a step.

/// Returns the text of a getter: the event's text, or an empty one.
private func show(
  _ event: OpaquePointer?, _ text: (StepTexts) -> UnsafePointer<CChar>?
) -> UnsafePointer<CChar> {
  EventObject.borrow(event)?.stepTexts.flatMap(text) ?? StaticText.pointer("")
}

@_cdecl("wallet_core_event_step_serial") @implementation
public func wallet_core_event_step_serial(_ event: OpaquePointer?) -> UInt64 {
  EventObject.borrow(event)?.step?.serial ?? 0
}

@_cdecl("wallet_core_event_step_use_case") @implementation
public func wallet_core_event_step_use_case(_ event: OpaquePointer?) -> UnsafePointer<CChar> {
  show(event) { $0.part(.useCase) }
}

@_cdecl("wallet_core_event_step_row") @implementation
public func wallet_core_event_step_row(_ event: OpaquePointer?) -> UnsafePointer<CChar> {
  show(event) { $0.part(.row) }
}

@_cdecl("wallet_core_event_step_kind") @implementation
public func wallet_core_event_step_kind(_ event: OpaquePointer?) -> wallet_core_step_kind {
  switch EventObject.borrow(event)?.step?.kind {
  case nil: wallet_core_step_kind(0)
  case .screen: WALLET_CORE_STEP_SCREEN
  case .prompt: WALLET_CORE_STEP_PROMPT
  case .progress: WALLET_CORE_STEP_PROGRESS
  case .systemPrompt: WALLET_CORE_STEP_SYSTEM_PROMPT
  case .handOff: WALLET_CORE_STEP_HAND_OFF
  case .error: WALLET_CORE_STEP_ERROR
  case .end: WALLET_CORE_STEP_END
  }
}

@_cdecl("wallet_core_event_step_name") @implementation
public func wallet_core_event_step_name(_ event: OpaquePointer?) -> UnsafePointer<CChar> {
  show(event) { $0.part(.name) }
}

@_cdecl("wallet_core_event_step_title") @implementation
public func wallet_core_event_step_title(_ event: OpaquePointer?) -> UnsafePointer<CChar> {
  show(event) { $0.part(.title) }
}

@_cdecl("wallet_core_event_step_message") @implementation
public func wallet_core_event_step_message(_ event: OpaquePointer?) -> UnsafePointer<CChar> {
  show(event) { $0.part(.message) }
}

@_cdecl("wallet_core_event_step_beneath") @implementation
public func wallet_core_event_step_beneath(_ event: OpaquePointer?) -> UnsafePointer<CChar> {
  show(event) { $0.part(.beneath) }
}

@_cdecl("wallet_core_event_step_input") @implementation
public func wallet_core_event_step_input(_ event: OpaquePointer?) -> wallet_core_input {
  switch EventObject.borrow(event)?.step?.input {
  case nil, .some(.none): WALLET_CORE_INPUT_NONE
  case .pin: WALLET_CORE_INPUT_PIN
  case .scan: WALLET_CORE_INPUT_SCAN
  case .option: WALLET_CORE_INPUT_OPTION
  }
}

@_cdecl("wallet_core_event_step_action_count") @implementation
public func wallet_core_event_step_action_count(_ event: OpaquePointer?) -> Int {
  EventObject.borrow(event)?.step?.choices.count ?? 0
}

@_cdecl("wallet_core_event_step_action") @implementation
public func wallet_core_event_step_action(
  _ event: OpaquePointer?, _ index: Int
) -> UnsafePointer<CChar> {
  show(event) { $0.action(index) }
}

@_cdecl("wallet_core_event_step_action_label") @implementation
public func wallet_core_event_step_action_label(
  _ event: OpaquePointer?, _ index: Int
) -> UnsafePointer<CChar> {
  show(event) { $0.label(index) }
}

@_cdecl("wallet_core_event_step_number") @implementation
public func wallet_core_event_step_number(
  _ event: OpaquePointer?, _ name: UnsafePointer<CChar>?, _ value: UnsafeMutablePointer<Int64>?
) -> Int32 {
  let number = EventObject.borrow(event)?.stepTexts?.number(name)
  value?.pointee = number ?? 0
  return number == nil ? 0 : 1
}

@_cdecl("wallet_core_event_step_text") @implementation
public func wallet_core_event_step_text(
  _ event: OpaquePointer?, _ name: UnsafePointer<CChar>?
) -> UnsafePointer<CChar> {
  show(event) { $0.text(name) }
}

@_cdecl("wallet_core_event_step_notice_count") @implementation
public func wallet_core_event_step_notice_count(_ event: OpaquePointer?) -> Int {
  EventObject.borrow(event)?.step?.notices.count ?? 0
}

@_cdecl("wallet_core_event_step_notice") @implementation
public func wallet_core_event_step_notice(
  _ event: OpaquePointer?, _ index: Int
) -> UnsafePointer<CChar> {
  show(event) { $0.notice(index) }
}
