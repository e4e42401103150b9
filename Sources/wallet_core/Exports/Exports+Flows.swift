public import CWalletCore
internal import WalletCrypto
internal import WalletModel
internal import WalletRuntime
internal import WalletSystem

// Section 10 of the header: opening the app, choosing, the step stream.

@_cdecl("wallet_core_open_app") @implementation
public func wallet_core_open_app(
  _ client: wallet_core_client, _ startup: wallet_core_startup,
  _ universalLink: UnsafePointer<CChar>?,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> wallet_core_status {
  answer(error) { () throws(WalletError) in
    let core = try CoreInstance.core()
    try core.client(client).requireAttached()
    let start: Startup
    switch startup {
    case WALLET_CORE_STARTUP_LAUNCH: start = .launch
    case WALLET_CORE_STARTUP_RESUME: start = .resume
    default: throw .argument("startup is none of WALLET_CORE_STARTUP_....")
    }
    core.wallet.openApp(start, universalLink: try copy(of: universalLink))
  }
}

/// Copies the link that opened the app. The link is not checked here, because whoever makes a link
/// must not be able to prevent the start. A link that is too long is cut just past the limit, so
/// that the flows refuse it as invalid.
private func copy(of link: UnsafePointer<CChar>?) throws(WalletError) -> Secret? {
  guard let link else { return nil }
  let length = CText.length(link, limit: Int(WALLET_CORE_LINK_MAXIMUM) + 1)
  // An empty text counts as no link, because some languages cannot pass NULL for a text.
  guard length > 0 else { return nil }
  guard let copy = try? Secret(copying: UnsafeRawBufferPointer(start: link, count: length)) else {
    throw WalletError(.outOfResources, "Not enough guarded memory for the link.")
  }
  return copy
}

@_cdecl("wallet_core_choose") @implementation
public func wallet_core_choose(
  _ client: wallet_core_client, _ serial: UInt64, _ action: UnsafePointer<CChar>?,
  _ input: UnsafePointer<UInt8>?, _ inputLength: Int,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> wallet_core_status {
  answer(error) { () throws(WalletError) in
    let core = try CoreInstance.core()
    try core.client(client).requireAttached()
    let action = try TextInput.required(action, "action", bytes: 1...64)
    try core.wallet.choose(serial, action: action, input: PinInput.choice(input, inputLength))
  }
}

@_cdecl("wallet_core_choose_scanned") @implementation
public func wallet_core_choose_scanned(
  _ client: wallet_core_client, _ serial: UInt64, _ symbology: wallet_core_symbology,
  _ bytes: UnsafePointer<UInt8>?, _ length: Int, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> wallet_core_status {
  answer(error) { () throws(WalletError) in
    let core = try CoreInstance.core()
    try core.client(client).requireAttached()
    let symbol: Symbology
    switch symbology {
    case WALLET_CORE_SYMBOLOGY_QR_CODE: symbol = .qrCode
    case WALLET_CORE_SYMBOLOGY_PDF417: symbol = .pdf417
    case WALLET_CORE_SYMBOLOGY_OTHER: symbol = .other
    default: throw .argument("symbology is none of WALLET_CORE_SYMBOLOGY_....")
    }
    guard let bytes else { throw .argument("bytes is NULL.") }
    // A size_t beyond Int.max arrives negative.
    guard (1...4096).contains(length) else { throw .argument("bytes must be 1 to 4096 bytes.") }
    guard
      let content = try? Secret(copying: UnsafeRawBufferPointer(start: bytes, count: length))
    else { throw WalletError(.outOfResources, "Not enough guarded memory for the scan.") }
    try core.wallet.choose(serial, action: "scanned", input: .scan(symbol, content))
  }
}

@_cdecl("wallet_core_choose_option") @implementation
public func wallet_core_choose_option(
  _ client: wallet_core_client, _ serial: UInt64, _ option: Int,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> wallet_core_status {
  answer(error) { () throws(WalletError) in
    let core = try CoreInstance.core()
    try core.client(client).requireAttached()
    // A size_t beyond Int.max arrives negative.
    guard option >= 0 else { throw .argument("option is no index of an option.") }
    try core.wallet.choose(serial, action: "choose", input: .option(option))
  }
}

@_cdecl("wallet_core_set_step_stream") @implementation
public func wallet_core_set_step_stream(
  _ client: wallet_core_client, _ callback: wallet_core_event_callback?,
  _ context: UnsafeMutableRawPointer?, _ destroy: wallet_core_destroy?,
  _ token: UnsafeMutablePointer<UInt64>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> wallet_core_status {
  setEventSink(.step, client, callback.map { .event($0) }, context, destroy, token, error)
}

@_cdecl("wallet_core_clear_step_stream") @implementation
public func wallet_core_clear_step_stream(
  _ client: wallet_core_client, _ token: UInt64, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> wallet_core_status {
  clearEventSink(.step, client, token, error)
}
