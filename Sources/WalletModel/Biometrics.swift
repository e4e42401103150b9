/// What the platform recognises its user by.
public enum Biometrics: String, Equatable, Sendable, CaseIterable {
  /// The host does not say by what.
  case any
  case fingerprint
  case face
}
