public import CWalletCore
internal import WalletCrypto
internal import WalletModel
internal import WalletRuntime
internal import WalletSystem

// Section 12 of the header: the requests. The getters are in Exports+SharingGetters.swift.

/// Starts a request about a relying party's request.
private func start(
  _ client: wallet_core_client, _ number: UnsafeMutablePointer<UInt64>?,
  _ error: UnsafeMutablePointer<OpaquePointer?>?,
  _ request: () throws(WalletError) -> WalletRequest
) -> wallet_core_status {
  number?.pointee = 0
  return answer(error) { () throws(WalletError) in
    let core = try CoreInstance.core()
    _ = try core.client(client)
    try core.start(request(), for: client, number: number)
  }
}

private func id(_ sharing: UnsafePointer<CChar>?) throws(WalletError) -> String {
  try TextInput.required(sharing, "sharing", bytes: 1...64)
}

@_cdecl("wallet_core_begin_sharing") @implementation
public func wallet_core_begin_sharing(
  _ client: wallet_core_client, _ link: UnsafePointer<CChar>?, _ fromOtherDevice: Int32,
  _ request: UnsafeMutablePointer<UInt64>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> wallet_core_status {
  start(client, request, error) { () throws(WalletError) in
    guard fromOtherDevice == 0 || fromOtherDevice == 1 else {
      throw .argument("from_other_device must be 0 or 1.")
    }
    // The link may be an enrolment code, which is refused later.
    let copy = try TextInput.requiredSecret(
      link, "link", bytes: 1...Int(WALLET_CORE_LINK_MAXIMUM))
    return .beginSharing(copy, isFromOtherDevice: fromOtherDevice == 1)
  }
}

@_cdecl("wallet_core_choose_sharing_option") @implementation
public func wallet_core_choose_sharing_option(
  _ client: wallet_core_client, _ sharing: UnsafePointer<CChar>?, _ option: Int,
  _ request: UnsafeMutablePointer<UInt64>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> wallet_core_status {
  start(client, request, error) { () throws(WalletError) in
    // A size_t beyond Int.max arrives negative.
    guard option >= 0 else { throw .argument("option is no index of an option.") }
    return .chooseSharingOption(try id(sharing), option)
  }
}

@_cdecl("wallet_core_confirm_sharing") @implementation
public func wallet_core_confirm_sharing(
  _ client: wallet_core_client, _ sharing: UnsafePointer<CChar>?, _ pin: UnsafePointer<UInt8>?,
  _ pinLength: Int, _ request: UnsafeMutablePointer<UInt64>?,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> wallet_core_status {
  start(client, request, error) { () throws(WalletError) in
    try PinInput.sharing(try id(sharing), pin, pinLength)
  }
}

@_cdecl("wallet_core_refuse_sharing") @implementation
public func wallet_core_refuse_sharing(
  _ client: wallet_core_client, _ sharing: UnsafePointer<CChar>?,
  _ request: UnsafeMutablePointer<UInt64>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> wallet_core_status {
  start(client, request, error) { () throws(WalletError) in .refuseSharing(try id(sharing)) }
}

@_cdecl("wallet_core_activities") @implementation
public func wallet_core_activities(
  _ client: wallet_core_client, _ request: UnsafeMutablePointer<UInt64>?,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> wallet_core_status {
  start(client, request, error) { .activities }
}
