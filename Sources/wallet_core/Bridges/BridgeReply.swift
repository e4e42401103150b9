internal import CWalletCore
internal import WalletCrypto
internal import WalletModel
internal import WalletPlatform

/// The answer of a host to a bridge call, checked and copied.
struct BridgeReply {
  private static let bytesLimit = 1 << 20
  private static let messageLimit = 1024

  let answer: Result<BridgeAnswer, BridgeFailure>

  init(
    _ status: wallet_core_bridge_status, _ bytes: UnsafePointer<UInt8>?, _ length: Int,
    _ message: UnsafePointer<CChar>?
  ) throws(WalletError) {
    // A size_t beyond Int.max arrives negative.
    guard (0...Self.bytesLimit).contains(length) else {
      throw .argument("length is greater than \(Self.bytesLimit).")
    }
    guard bytes != nil || length == 0 else {
      throw .argument("bytes is NULL, but length is not 0.")
    }
    let content = UnsafeBufferPointer(start: bytes, count: length)
    let text = try TextInput.clipped(message, "message", limit: Self.messageLimit)
    if let refusal = try Self.refusal(status, content.first) {
      answer = .failure(.refused(refusal, message: text))
      return
    }
    guard let secret = try? Secret(copying: UnsafeRawBufferPointer(content)) else {
      throw WalletError(.outOfResources, "Not enough guarded memory for the answer.")
    }
    answer = .success(.bytes(secret))
  }

  /// The refusal that `status` means; nil for OK.
  private static func refusal(
    _ status: wallet_core_bridge_status, _ firstByte: UInt8?
  ) throws(WalletError) -> BridgeRefusal? {
    let host = WALLET_CORE_BRIDGE_HOST_FIRST.rawValue...WALLET_CORE_BRIDGE_HOST_LAST.rawValue
    if host.contains(status.rawValue) { return .host(code: status.rawValue) }
    switch status {
    case WALLET_CORE_BRIDGE_OK: return nil
    case WALLET_CORE_BRIDGE_NOT_RECOGNISED: return .notRecognised(times: firstByte ?? 1)
    case WALLET_CORE_BRIDGE_CANCELLED_BY_USER: return .cancelledByUser
    case WALLET_CORE_BRIDGE_LOCKED_OUT: return .lockedOut
    case WALLET_CORE_BRIDGE_LOCKED_OUT_PERMANENTLY: return .lockedOutPermanently
    case WALLET_CORE_BRIDGE_NOT_ENROLLED: return .notEnrolled
    case WALLET_CORE_BRIDGE_KEY_INVALIDATED: return .keyInvalidated
    case WALLET_CORE_BRIDGE_KEY_MISSING: return .keyMissing
    case WALLET_CORE_BRIDGE_UNAVAILABLE: return .unavailable
    default: throw .argument("status is neither WALLET_CORE_BRIDGE_... nor in the host's range.")
    }
  }
}
