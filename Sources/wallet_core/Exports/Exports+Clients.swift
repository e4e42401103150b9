public import CWalletCore
internal import WalletModel

// Section 6 of the header.

@_cdecl("wallet_core_client_attach") @implementation
public func wallet_core_client_attach(
  _ name: UnsafePointer<CChar>?, _ flags: UInt32,
  _ client: UnsafeMutablePointer<wallet_core_client>?,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> wallet_core_status {
  client?.pointee = 0
  return answer(error) { () throws(WalletError) in
    let core = try CoreInstance.core()
    let takeOver = UInt32(truncatingIfNeeded: WALLET_CORE_ATTACH_TAKE_OVER)
    guard flags & ~takeOver == 0 else {
      throw .argument("flags has bits other than WALLET_CORE_ATTACH_TAKE_OVER.")
    }
    guard let client else { throw .argument("client is NULL.") }
    let name = try TextInput.required(name, "name", bytes: 1...64)
    client.pointee = try core.attach(name, takeOver: flags & takeOver != 0)
  }
}

@_cdecl("wallet_core_client_detach") @implementation
public func wallet_core_client_detach(
  _ client: wallet_core_client, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> wallet_core_status {
  answer(error) { () throws(WalletError) in
    let core = try CoreInstance.core()
    if HostThread.isCurrent { throw .reentrant }
    try core.detach(client)
  }
}

@_cdecl("wallet_core_client_abandon") @implementation
public func wallet_core_client_abandon(_ client: wallet_core_client) -> wallet_core_status {
  answer(nil) { () throws(WalletError) in try CoreInstance.core().abandon(client) }
}

@_cdecl("wallet_core_client_finalize") @implementation
public func wallet_core_client_finalize(_ client: UnsafeMutableRawPointer?) {
  _ = wallet_core_client_abandon(UInt64(UInt(bitPattern: client)))
}
