/// What the host tells of the app's life.
public enum LifecycleEvent: Sendable {
  /// The app can be seen and used.
  case foreground
  /// The app cannot be seen.
  case background
  /// The user touched something.
  case userActivity
}
