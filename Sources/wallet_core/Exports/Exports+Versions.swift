internal import CWalletCore
internal import WalletModel

// Section 1 of the header. The values are static, so that a wrapper can check what it loaded before
// anything else is initialised.

@_cdecl("wallet_core_abi_version") @implementation
public func wallet_core_abi_version() -> Int32 {
  Int32(truncatingIfNeeded: WALLET_CORE_ABI_VERSION)
}

@_cdecl("wallet_core_version") @implementation
public func wallet_core_version() -> UnsafePointer<CChar> {
  StaticText.pointer(CoreVersion.text)
}
