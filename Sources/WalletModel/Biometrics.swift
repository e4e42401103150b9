/// The kind of biometrics that the platform offers.
public enum Biometrics: String, Equatable, Sendable, CaseIterable {
  /// The host does not say which kind.
  case any
  case fingerprint
  case face
}
