/// Whether the wallet's cards can be seen.
public enum LockState: Equatable, Sendable {
  case locked
  case unlocked
}
