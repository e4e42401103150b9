internal import WalletModel

/// What a scan brought, as the platform says it.
public enum ScanReply: Equatable, Sendable {
  case opened
  /// Not recognised so often within one prompt.
  case notRecognised(times: Int)
  case cancelled
  /// For a while or until the device credential was entered.
  case lockedOut
  case unavailable
}

/// Counts failed scans (flows, "Counting biometric attempts").
struct BiometricAttempts: Equatable, Sendable {
  private(set) var failures = 0
  /// Whether the PIN is asked for until the next unlock by PIN.
  private(set) var isSetAside = false

  /// Takes a reply in; the outcome of the row.
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

  /// The wallet was unlocked or wiped.
  mutating func reset() { self = BiometricAttempts() }

  private mutating func giveUp(_ platform: PlatformRules) -> Outcome {
    isSetAside = true
    return platform == .ios ? .iosLaterFailure : .androidLastFailure
  }
}
