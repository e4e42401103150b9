public import WalletCrypto
public import WalletModel

/// Logs the calls to the platform that fail: which function, and why. No argument, answer or text
/// of the host is logged.
public struct LoggedBridges: PlatformBridges {
  private let base: any PlatformBridges
  private let log: Log

  public init(_ base: any PlatformBridges, log: Log) {
    self.base = base
    self.log = log
  }

  public var areReady: Bool { base.areReady }

  public var rules: PlatformRules { base.rules }

  public func perform(
    _ request: BridgeRequest, cancellation: Cancellation
  ) throws(BridgeFailure) -> Secret {
    do throws(BridgeFailure) {
      return try base.perform(request, cancellation: cancellation)
    } catch {
      log.failure(of: request.functionName, error)
      throw error
    }
  }
}

extension BridgeRequest {
  /// The bridge and the function in the header, such as "signing_key_bridge.sign".
  var functionName: String {
    switch self {
    case .publicKey: "signing_key_bridge.public_key"
    case .sign: "signing_key_bridge.sign"
    case .deleteSigningKey: "signing_key_bridge.delete_key"
    case .attest: "signing_key_bridge.attest"
    case .encrypt: "encryption_key_bridge.encrypt"
    case .decrypt: "encryption_key_bridge.decrypt"
    case .deleteEncryptionKey: "encryption_key_bridge.delete_key"
    case .storagePath: "utilities_bridge.storage_path"
    case .biometricsAvailable: "utilities_bridge.biometrics_available"
    case .deviceSecure: "utilities_bridge.device_secure"
    case .internetReachable: "utilities_bridge.internet_reachable"
    case .cameraState: "utilities_bridge.camera_state"
    }
  }
}

extension Log {
  /// Says which function of the host failed, and why.
  func failure(of function: String, _ error: BridgeFailure) {
    guard let reason = error.logText else { return }
    self(.debug, "bridges", "\(function) failed: \(reason).")
  }
}

extension BridgeFailure {
  /// The name of the failure's status in the header. Nil for a missing function: it is optional, so
  /// its absence is not logged.
  fileprivate var logText: String? {
    switch self {
    case .refused(let refusal, _): refusal.logText
    case .missing: nil
    case .timedOut: WalletError.Kind.bridgeTimeout.statusName
    case .cancelled: WalletError.Kind.cancelled.statusName
    case .notReady: WalletError.Kind.platformNotReady.statusName
    }
  }
}

extension BridgeRefusal {
  fileprivate var logText: String {
    switch self {
    case .notRecognised: "NOT_RECOGNISED"
    case .cancelledByUser: "CANCELLED_BY_USER"
    case .lockedOut: "LOCKED_OUT"
    case .lockedOutPermanently: "LOCKED_OUT_PERMANENTLY"
    case .notEnrolled: "NOT_ENROLLED"
    case .keyInvalidated: "KEY_INVALIDATED"
    case .keyMissing: "KEY_MISSING"
    case .unavailable: "UNAVAILABLE"
    case .host(let code): "the host's code \(code)"
    }
  }
}
