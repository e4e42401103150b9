internal import CWalletCore
internal import WalletCrypto

// Section 3 of the header.

@_cdecl("wallet_core_memzero") @implementation
public func wallet_core_memzero(_ memory: UnsafeMutableRawPointer?, _ length: Int) {
  // A size_t beyond Int.max arrives negative; no such memory exists.
  guard let memory, length > 0 else { return }
  Memory.wipe(UnsafeMutableRawBufferPointer(start: memory, count: length))
}
