internal import WalletModel

/// The result of a biometric scan, as the platform reports it.
public enum ScanReply: Equatable, Sendable {
  case opened
  /// Not recognised, with the number of failures within one prompt.
  case notRecognised(times: Int)
  case cancelled
  /// The platform refuses scans until some time has passed or the device credential was entered.
  case lockedOut
  case unavailable
}

/// Counts failed scans by the rules of the platform.
struct BiometricAttempts: Equatable, Sendable {
  private(set) var failures = 0
  /// Whether biometrics are off until the next unlock by PIN.
  private(set) var isSetAside = false

  /// Counts `reply` and returns the outcome of the row.
  mutating func note(_ reply: ScanReply, _ platform: PlatformRules) -> Outcome {
    switch reply {
    case .opened: return .valid
    case .cancelled: return .cancelled
    case .unavailable: return .unavailable
    case .lockedOut: return giveUp(platform)
    case .notRecognised(let times):
      failures = min(failures + max(1, min(times, 255)), 1000)
      guard failures < platform.biometricAttempts else { return giveUp(platform) }
      return platform == .ios ? .iosFirstFailure : .androidFailure
    }
  }

  /// Starts the count anew, after an unlock or a wipe.
  mutating func reset() { self = BiometricAttempts() }

  private mutating func giveUp(_ platform: PlatformRules) -> Outcome {
    isSetAside = true
    return platform == .ios ? .iosLaterFailure : .androidLastFailure
  }
}
