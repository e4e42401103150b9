/// An event of the app's life cycle, reported by the host.
public enum LifecycleEvent: Sendable {
  /// The app is visible and can be used.
  case foreground
  /// The app is not visible.
  case background
  /// The user touched something.
  case userActivity
}
