/// The rules that the platform's users expect (flows, "Counting biometric attempts").
public enum PlatformRules: String, Sendable, CaseIterable {
  case ios
  case android

  /// The number of failed scans after which the PIN is required.
  public var biometricAttempts: Int {
    switch self {
    case .ios: 2
    case .android: 5
    }
  }
}
