/// What the update policy says of this app version (flows PF1.4). All but `block` are allowed.
public enum VersionState: Equatable, Sendable {
  case ok
  case recommend
  /// Blocked in so many milliseconds.
  case warn(milliseconds: Int64)
  case block(updateAvailable: Bool)

  /// Whether the app may be used.
  public var isAllowed: Bool {
    if case .block = self { false } else { true }
  }

  /// Whether both ask for the same, whatever time is left.
  public func isSameGrade(as other: VersionState) -> Bool {
    if case .warn = self, case .warn = other { return true }
    return self == other
  }
}
