public import WalletCrypto
public import WalletModel

/// How an encryption key of the platform is protected.
public enum KeyProtection: Int32, Sendable {
  case none = 0
  case biometric = 1
}

/// A request of the core to the platform: one case for each function of the three bridges.
///
/// Identifiers have at most 64 characters of a-z, 0-9, '.', '_' and '-'.
public enum BridgeRequest: Sendable {
  case publicKey(identifier: String)
  case sign(identifier: String, payload: [UInt8])
  case deleteSigningKey(identifier: String)
  case attest(identifier: String, challenge: [UInt8])
  case encrypt(identifier: String, protection: KeyProtection, plaintext: Secret)
  case decrypt(identifier: String, protection: KeyProtection, ciphertext: [UInt8])
  case deleteEncryptionKey(identifier: String)
  case storagePath
  case biometricsAvailable
  case deviceSecure
  case internetReachable
  case cameraState

  /// Whether the platform may show the user a prompt. Such a request has no deadline.
  public var mayPrompt: Bool {
    switch self {
    case .encrypt(_, .biometric, _), .decrypt(_, .biometric, _): true
    default: false
    }
  }
}

/// How a bridge refused a call.
public enum BridgeRefusal: Equatable, Sendable {
  case notRecognised(times: UInt8)
  case cancelledByUser
  case lockedOut
  case lockedOutPermanently
  case notEnrolled
  case keyInvalidated
  case keyMissing
  case unavailable
  /// A code in the host's own range.
  case host(code: Int32)
}

/// Why a bridge call failed.
public enum BridgeFailure: Error, Equatable, Sendable {
  /// The host answered with a refusal; `message` is the host's text.
  case refused(BridgeRefusal, message: String)
  /// The host does not implement this optional function.
  case missing
  /// A call that cannot prompt was not answered in time, or the system started no thread for a
  /// call.
  case timedOut
  /// The call was cancelled before the answer.
  case cancelled
  /// The host did not pass its bridges in time.
  case notReady

  /// Returns the failure as an error of the request that the call was made for. `purpose` names the
  /// action, e.g. "sign".
  public func walletError(_ purpose: String) -> WalletError {
    switch self {
    case .refused(.unavailable, let message):
      WalletError(
        .deviceInsecure, "The platform's key store refused to \(purpose).", hostText: message)
    case .refused(.host(let code), let message):
      WalletError(
        .bridgeFailed, "The host failed to \(purpose) with its own code.",
        data: ["host_code": .number(Int64(code))], hostText: message)
    case .refused(let refusal, let message):
      WalletError(.bridgeFailed, "The host failed to \(purpose): \(refusal).", hostText: message)
    case .missing:
      WalletError(
        .bridgeIncomplete,
        "The host's bridge has no function to \(purpose), which is required here.")
    case .timedOut:
      WalletError(
        .bridgeTimeout,
        "The host did not answer the bridge call to \(purpose) within 10 seconds. "
          + "Answer every call with wallet_core_bridge_reply().")
    case .cancelled: WalletError(.cancelled, "Cancelled while the host was asked to \(purpose).")
    case .notReady:
      WalletError(
        .platformNotReady,
        "No bridges within 10 seconds to \(purpose). Call wallet_core_init_platform_support().")
    }
  }
}

/// The platform behind the three bridges.
public protocol PlatformBridges: Sendable {
  /// Makes a request to the platform. Waits until the host has passed its bridges, at most 10 s,
  /// then for the answer, at most 10 s or, if the request may prompt, without limit. A cancellation
  /// ends either wait. Must not be called on a thread that runs host code.
  func perform(
    _ request: BridgeRequest, cancellation: Cancellation
  ) throws(BridgeFailure) -> Secret

  /// Whether the host has passed its bridges.
  var areReady: Bool { get }

  /// The rules that the platform's users expect. Those of Android until the host has passed its
  /// utilities bridge, which names the platform.
  var rules: PlatformRules { get }
}

extension PlatformBridges {
  /// Calls `perform` and throws a failure as an error of the request that the call was made for.
  /// `purpose` names the action, e.g. "sign".
  public func ask(
    _ request: BridgeRequest, to purpose: String, cancellation: Cancellation
  ) throws(WalletError) -> Secret {
    do {
      return try perform(request, cancellation: cancellation)
    } catch { throw error.walletError(purpose) }
  }
}
