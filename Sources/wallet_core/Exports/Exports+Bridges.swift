public import CWalletCore
internal import WalletCrypto
internal import WalletModel
internal import WalletPlatform

// Section 4 of the header.

@_cdecl("wallet_core_init_platform_support") @implementation
public func wallet_core_init_platform_support(
  _ signingKey: UnsafePointer<wallet_core_signing_key_bridge>?,
  _ encryptionKey: UnsafePointer<wallet_core_encryption_key_bridge>?,
  _ utilities: UnsafePointer<wallet_core_utilities_bridge>?,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> wallet_core_status {
  answer(error) { () throws(WalletError) in
    try CoreInstance.refuseFork()
    try CoreInstance.handOver(BridgeSet(signingKey, encryptionKey, utilities))
  }
}

@_cdecl("wallet_core_bridge_reply") @implementation
public func wallet_core_bridge_reply(
  _ call: UInt64, _ status: wallet_core_bridge_status, _ bytes: UnsafePointer<UInt8>?,
  _ length: Int,
  _ message: UnsafePointer<CChar>?
) -> wallet_core_status {
  answer(nil) { () throws(WalletError) in
    try CoreInstance.withBridges { bridges throws(WalletError) in
      // Checked before the reply is read, so that a late answer is harmless, whatever it contains.
      guard bridges.isOpen(call) else {
        _ = bridges.reply(call, .failure(.cancelled))
        throw .unknownCall
      }
      let reply = try BridgeReply(status, bytes, length, message)
      guard bridges.reply(call, reply.answer) else { throw .unknownCall }
    }
  }
}

extension WalletError {
  fileprivate static let unknownCall = WalletError(
    .unknownCall, "The bridge call was answered already, cancelled, timed out or never existed.")
}
