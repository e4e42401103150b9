public import CWalletCore
internal import WalletModel

// Section 5 of the header.

@_cdecl("wallet_core_is_initialized") @implementation
public func wallet_core_is_initialized() -> Int32 { CoreInstance.isInitialised ? 1 : 0 }

@_cdecl("wallet_core_init") @implementation
public func wallet_core_init(
  _ options: UnsafePointer<wallet_core_options>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> wallet_core_status {
  answer(error) { () throws(WalletError) in
    try CoreInstance.start { () throws(WalletError) in try StartOptions(options) }
  }
}
