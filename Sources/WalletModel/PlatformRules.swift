/// The rules that the platform's users expect (flows, "Counting biometric attempts").
public enum PlatformRules: String, Sendable, CaseIterable {
  case ios
  case android

  /// After so many failed scans the PIN is asked for.
  public var biometricAttempts: Int {
    switch self {
    case .ios: 2
    case .android: 5
    }
  }
}
