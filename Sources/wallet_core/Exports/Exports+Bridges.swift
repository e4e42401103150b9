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
      let reply = try bridges.expecting(call, isHTTP: false) { () throws(WalletError) in
        try BridgeReply(status, bytes, length, message)
      }
      guard bridges.reply(call, reply.answer) else { throw .unknownCall }
    }
  }
}

@_cdecl("wallet_core_set_http_bridge") @implementation
public func wallet_core_set_http_bridge(
  _ http: UnsafePointer<wallet_core_http_bridge>?,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> wallet_core_status {
  answer(error) { () throws(WalletError) in
    try CoreInstance.refuseFork()
    var table: BridgeTable?
    if let http { table = try BridgeTable(http) }
    try CoreInstance.handOver(http: table)
  }
}

@_cdecl("wallet_core_http_reply") @implementation
public func wallet_core_http_reply(
  _ call: UInt64, _ response: UnsafePointer<wallet_core_http_response>?
) -> wallet_core_status {
  answer(nil) { () throws(WalletError) in
    try CoreInstance.withBridges { bridges throws(WalletError) in
      let reply = try bridges.expecting(call, isHTTP: true) { () throws(WalletError) in
        try HTTPReply(response)
      }
      guard bridges.reply(call, .success(.http(reply))) else { throw .unknownCall }
    }
  }
}

extension BridgeDispatcher {
  /// Reads the reply to an open call. Checks the call first, so that a late answer is harmless,
  /// whatever it contains.
  fileprivate func expecting<Reply>(
    _ call: UInt64, isHTTP: Bool, _ read: () throws(WalletError) -> Reply
  ) throws(WalletError) -> Reply {
    guard let isOfHTTP = self.isHTTP(call) else {
      _ = reply(call, .failure(.cancelled))
      throw .unknownCall
    }
    guard isOfHTTP == isHTTP else {
      throw .argument(
        "call belongs to \(isOfHTTP ? "the HTTP bridge" : "another bridge than the HTTP bridge").")
    }
    return try read()
  }
}

extension WalletError {
  fileprivate static let unknownCall = WalletError(
    .unknownCall, "The bridge call was answered already, cancelled, timed out or never existed.")
}
