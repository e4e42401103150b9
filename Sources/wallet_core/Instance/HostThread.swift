internal import WalletPlatform
internal import WalletSystem

/// The kind of host code that a thread of the library runs.
enum HostRole: Int {
  /// Callbacks of a client.
  case events = 1
  /// Bridge functions.
  case bridges = 2
  /// The log callback.
  case log = 3
}

/// Determines whether the caller is host code on a thread of the library. Such a caller must never
/// wait for host code, because two callbacks could wait for each other.
enum HostThread {
  // A thread-local rather than a task-local value, because these threads run no tasks. Nil if the
  // system has no thread-local key left; then init is refused, so nothing depends on the value.
  private static let number = ThreadLocalNumber()

  /// Whether threads can be marked at all.
  static var isUsable: Bool { number != nil }

  /// The role of the calling thread; nil for threads of the host.
  static var role: HostRole? {
    number.flatMap { HostRole(rawValue: $0.value) }
  }

  /// Whether the caller runs inside host code.
  static var isCurrent: Bool { role != nil }

  /// Marks the calling thread until it ends.
  static func mark(_ role: HostRole) {
    number?.set(role.rawValue)
  }
}
