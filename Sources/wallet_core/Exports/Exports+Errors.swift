public import CWalletCore
internal import WalletModel

// Section 2 of the header: reading and freeing errors.

@_cdecl("wallet_core_error_code") @implementation
public func wallet_core_error_code(_ error: OpaquePointer?) -> wallet_core_status {
  ErrorObject.borrow(error)?.code ?? WALLET_CORE_OK
}

@_cdecl("wallet_core_error_category") @implementation
public func wallet_core_error_category(_ error: OpaquePointer?) -> wallet_core_category {
  ErrorObject.borrow(error)?.category ?? wallet_core_category(0)
}

@_cdecl("wallet_core_error_message") @implementation
public func wallet_core_error_message(
  _ error: OpaquePointer?, _ length: UnsafeMutablePointer<Int>?
) -> UnsafePointer<CChar> {
  StaticText.show(ErrorObject.borrow(error)?.message, or: "", length)
}

@_cdecl("wallet_core_error_data") @implementation
public func wallet_core_error_data(
  _ error: OpaquePointer?, _ length: UnsafeMutablePointer<Int>?
) -> UnsafePointer<CChar> {
  StaticText.show(ErrorObject.borrow(error)?.data, or: "{}", length)
}

@_cdecl("wallet_core_error_free") @implementation
public func wallet_core_error_free(_ error: OpaquePointer?) {
  ErrorObject.free(error)
}

@_cdecl("wallet_core_status_name") @implementation
public func wallet_core_status_name(_ status: wallet_core_status) -> UnsafePointer<CChar> {
  if status == WALLET_CORE_OK { return StaticText.pointer("OK") }
  let index = WalletError.Kind.allCases.firstIndex { $0.status == status }
  return index.map(WalletError.Kind.names.start) ?? StaticText.pointer("UNKNOWN")
}
