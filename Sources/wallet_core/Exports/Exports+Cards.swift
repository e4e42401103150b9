public import CWalletCore
internal import WalletModel
internal import WalletRuntime

// Section 11 of the header.

@_cdecl("wallet_core_cards") @implementation
public func wallet_core_cards(
  _ client: wallet_core_client, _ request: UnsafeMutablePointer<UInt64>?,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> wallet_core_status {
  request?.pointee = 0
  return answer(error) { () throws(WalletError) in
    try CoreInstance.core().start(.cards, for: client, number: request)
  }
}

@_cdecl("wallet_core_set_cards_stream") @implementation
public func wallet_core_set_cards_stream(
  _ client: wallet_core_client, _ callback: wallet_core_event_callback?,
  _ context: UnsafeMutableRawPointer?, _ destroy: wallet_core_destroy?,
  _ token: UnsafeMutablePointer<UInt64>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> wallet_core_status {
  setEventSink(.cards, client, callback.map { .event($0) }, context, destroy, token, error)
}

@_cdecl("wallet_core_clear_cards_stream") @implementation
public func wallet_core_clear_cards_stream(
  _ client: wallet_core_client, _ token: UInt64, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> wallet_core_status {
  clearEventSink(.cards, client, token, error)
}

@_cdecl("wallet_core_present") @implementation
public func wallet_core_present(
  _ client: wallet_core_client,
  _ selections: UnsafePointer<UnsafePointer<wallet_core_card_selection>?>?,
  _ selectionCount: Int, _ nonce: UnsafePointer<CChar>?, _ audience: UnsafePointer<CChar>?,
  _ pin: UnsafePointer<UInt8>?, _ pinLength: Int, _ request: UnsafeMutablePointer<UInt64>?,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> wallet_core_status {
  request?.pointee = 0
  return answer(error) { () throws(WalletError) in
    let core = try CoreInstance.core()
    _ = try core.client(client)
    // A size_t beyond Int.max arrives negative.
    guard (1...16).contains(selectionCount) else {
      throw .argument("selection_count must be 1 to 16.")
    }
    guard let selections else { throw .argument("selections is NULL.") }
    var chosen: [CardSelection] = []
    for index in 0..<selectionCount { chosen.append(try selection(selections[index])) }
    let nonce = try TextInput.required(nonce, "nonce", bytes: 1...512)
    let audience = try TextInput.required(audience, "audience", bytes: 1...512)
    try core.start(
      PinInput.presentation(
        of: chosen, nonce: nonce, audience: audience, pin, pinLength), for: client,
      number: request)
  }
}

private func selection(
  _ pointer: UnsafePointer<wallet_core_card_selection>?
) throws(WalletError) -> CardSelection {
  let selection = try StructInput.copy(
    pointer, "card_selection", minimum: MemoryLayout<wallet_core_card_selection>.size,
    empty: wallet_core_card_selection())
  let card = try TextInput.required(selection.card, "card", bytes: 1...64)
  let count = selection.path_count
  guard (0...64).contains(count) else { throw .argument("path_count must be 0 to 64.") }
  guard count > 0 else { return try CardSelection(card: card, paths: []) }
  guard let paths = selection.paths else {
    throw .argument("paths is NULL, but path_count is not 0.")
  }
  var texts: [String] = []
  for index in 0..<count {
    texts.append(try TextInput.required(paths[index], "paths[\(index)]", bytes: 1...1024))
  }
  return try CardSelection(card: card, paths: texts)
}

/// Returns the card that a getter asks for.
private func card(_ event: OpaquePointer?, _ index: Int) -> CardTexts? {
  guard let cards = EventObject.borrow(event)?.cards, cards.indices.contains(index) else {
    return nil
  }
  return cards[index]
}

private func claim(_ event: OpaquePointer?, _ index: Int, _ claim: Int) -> CardTexts.Claim? {
  guard let card = card(event, index), card.claims.indices.contains(claim) else { return nil }
  return card.claims[claim]
}

@_cdecl("wallet_core_event_card_count") @implementation
public func wallet_core_event_card_count(_ event: OpaquePointer?) -> Int {
  EventObject.borrow(event)?.cards.count ?? 0
}

@_cdecl("wallet_core_event_card_text") @implementation
public func wallet_core_event_card_text(
  _ event: OpaquePointer?, _ index: Int, _ name: UnsafePointer<CChar>?
) -> UnsafePointer<CChar> {
  StaticText.show(card(event, index)?.text(name), or: "", nil)
}

@_cdecl("wallet_core_event_card_state") @implementation
public func wallet_core_event_card_state(
  _ event: OpaquePointer?, _ index: Int
) -> wallet_core_card_state {
  card(event, index)?.state ?? wallet_core_card_state(rawValue: 0)
}

@_cdecl("wallet_core_event_card_number") @implementation
public func wallet_core_event_card_number(
  _ event: OpaquePointer?, _ index: Int, _ name: UnsafePointer<CChar>?,
  _ value: UnsafeMutablePointer<Int64>?
) -> Int32 {
  let number = card(event, index)?.number(name)
  value?.pointee = number ?? 0
  return number == nil ? 0 : 1
}

@_cdecl("wallet_core_event_card_claim_count") @implementation
public func wallet_core_event_card_claim_count(_ event: OpaquePointer?, _ index: Int) -> Int {
  card(event, index)?.claims.count ?? 0
}

@_cdecl("wallet_core_event_card_claim_name") @implementation
public func wallet_core_event_card_claim_name(
  _ event: OpaquePointer?, _ index: Int, _ number: Int
) -> UnsafePointer<CChar> {
  StaticText.show(claim(event, index, number)?.name, or: "", nil)
}

@_cdecl("wallet_core_event_card_claim_text") @implementation
public func wallet_core_event_card_claim_text(
  _ event: OpaquePointer?, _ index: Int, _ number: Int
) -> UnsafePointer<CChar> {
  StaticText.show(claim(event, index, number)?.text, or: "", nil)
}

@_cdecl("wallet_core_event_card_claim_path") @implementation
public func wallet_core_event_card_claim_path(
  _ event: OpaquePointer?, _ index: Int, _ number: Int
) -> UnsafePointer<CChar> {
  StaticText.show(claim(event, index, number)?.path, or: "", nil)
}

@_cdecl("wallet_core_event_card_claim_is_disclosable") @implementation
public func wallet_core_event_card_claim_is_disclosable(
  _ event: OpaquePointer?, _ index: Int, _ number: Int
) -> Int32 {
  claim(event, index, number)?.isDisclosable == true ? 1 : 0
}

@_cdecl("wallet_core_event_presentation") @implementation
public func wallet_core_event_presentation(
  _ event: OpaquePointer?, _ index: Int
) -> UnsafePointer<CChar> {
  let presentations = EventObject.borrow(event)?.presentations ?? []
  return StaticText.show(
    presentations.indices.contains(index) ? presentations[index] : nil, or: "", nil)
}

@_cdecl("wallet_core_event_presentation_count") @implementation
public func wallet_core_event_presentation_count(_ event: OpaquePointer?) -> Int {
  EventObject.borrow(event)?.presentations.count ?? 0
}
