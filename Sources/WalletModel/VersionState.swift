/// The state of this app version under the update policy (PF1.4). The app may be used in all states
/// but `block`.
public enum VersionState: Equatable, Sendable {
  case ok
  case recommend
  /// Will be blocked after this many milliseconds.
  case warn(milliseconds: Int64)
  case block(updateAvailable: Bool)

  /// Whether the app may be used.
  public var isAllowed: Bool {
    if case .block = self { false } else { true }
  }

  /// Whether both have the same grade, regardless of the time left.
  public func isSameGrade(as other: VersionState) -> Bool {
    if case .warn = self, case .warn = other { return true }
    return self == other
  }
}
