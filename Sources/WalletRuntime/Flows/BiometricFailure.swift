internal import WalletModel
internal import WalletPlatform

/// Why a request to the platform's biometrics failed.
enum BiometricFailure: Error, Equatable, Sendable {
  case notRecognised(times: UInt8)
  /// The user closed the prompt, or the core ended it because of a lock, the background, a
  /// take-over or a wipe.
  case cancelled(byUser: Bool)
  case lockedOut(permanently: Bool)
  /// `reason` is one of the reasons in the C header. `isKeyGone` means that the platform key is
  /// permanently lost and never opens this wallet again.
  case unavailable(reason: String, isKeyGone: Bool, hostCode: Int32? = nil)
  /// The cause is not the platform's biometrics: biometric unlock is not enabled, there is no
  /// wallet, the wallet is locked, or the storage failed.
  case failed(WalletError)

  init(_ failure: BridgeFailure) {
    switch failure {
    case .refused(.notRecognised(let times), _): self = .notRecognised(times: max(1, times))
    case .refused(.cancelledByUser, _): self = .cancelled(byUser: true)
    case .refused(.lockedOut, _): self = .lockedOut(permanently: false)
    case .refused(.lockedOutPermanently, _): self = .lockedOut(permanently: true)
    case .refused(.notEnrolled, _):
      self = .unavailable(reason: "not_enrolled", isKeyGone: false)
    case .refused(.keyInvalidated, _):
      self = .unavailable(reason: "key_invalidated", isKeyGone: true)
    case .refused(.keyMissing, _): self = .unavailable(reason: "key_missing", isKeyGone: true)
    case .refused(.host(let code), _):
      self = .unavailable(reason: "unavailable", isKeyGone: false, hostCode: code)
    case .refused(.unavailable, _), .missing, .timedOut, .notReady:
      self = .unavailable(reason: "unavailable", isKeyGone: false)
    case .cancelled: self = .cancelled(byUser: false)
    }
  }

  init(_ error: any Error) {
    switch error {
    case let failure as BiometricFailure: self = failure
    case let error as WalletError: self = .failed(error)
    default:
      self = .failed(
        WalletError(.internalDefect, "An unexpected error of type \(type(of: error))."))
    }
  }

  /// Whether the platform key is permanently lost, so that it never opens this wallet again.
  var isKeyGone: Bool {
    if case .unavailable(_, isKeyGone: true, _) = self { true } else { false }
  }

  /// The reason as the C header names it.
  var reason: String {
    switch self {
    case .notRecognised: "not_recognised"
    case .cancelled(let byUser): byUser ? "cancelled_by_user" : "cancelled"
    case .lockedOut(let permanently): permanently ? "locked_out_permanently" : "locked_out"
    case .unavailable(let reason, _, _): reason
    case .failed: "unavailable"
    }
  }

  /// The error of the request that needed the biometrics.
  var walletError: WalletError {
    switch self {
    case .failed(let error): return error
    case .cancelled(byUser: false):
      return WalletError(.cancelled, "Cancelled during the biometric prompt.")
    case .notRecognised, .cancelled, .lockedOut, .unavailable:
      var data: [String: WalletError.Value] = ["reason": .text(reason)]
      if case .unavailable(_, _, let code?) = self { data["host_code"] = .number(Int64(code)) }
      return WalletError(
        .biometricsFailed, "The platform's biometrics failed: \(reason).", data: data)
    }
  }
}
