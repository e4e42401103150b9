internal import Glibc
internal import WalletPlatform

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
  // A pthread key rather than a task-local, because these threads run no tasks. Nil if the system
  // has no key left; init is then refused.
  private static let key: pthread_key_t? = {
    var key = pthread_key_t()
    return pthread_key_create(&key, nil) == 0 ? key : nil
  }()

  /// Whether threads can be marked at all.
  static var isUsable: Bool { key != nil }

  /// The role of the calling thread; nil for threads of the host.
  static var role: HostRole? {
    guard let key else { return nil }
    return HostRole(rawValue: Int(bitPattern: pthread_getspecific(key)))
  }

  /// Whether the caller runs inside host code.
  static var isCurrent: Bool { role != nil }

  /// Marks the calling thread until it ends.
  static func mark(_ role: HostRole) {
    guard let key else { return }
    pthread_setspecific(key, UnsafeRawPointer(bitPattern: role.rawValue))
  }
}
