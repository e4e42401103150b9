internal import WalletPlatform

/// Decides when the wallet locks by itself (UC9.7). Pure: the caller passes the time.
struct LockTimer: Equatable, Sendable {
  /// The times of the configuration, in milliseconds.
  struct Limits: Equatable, Sendable {
    var inactive: Milliseconds
    var warning: Milliseconds
    var background: Milliseconds
  }

  /// What is due.
  enum Verdict: Equatable, Sendable {
    /// Nothing is due before the given time.
    case nothing(until: Milliseconds)
    /// The warning is due or was given; the wallet locks at the given time.
    case warning(locksAt: Milliseconds)
    case lock
  }

  private var lastActivity: Milliseconds
  private var backgroundSince: Milliseconds?

  /// Creates a timer in the foreground; the start counts as activity.
  init(now: Milliseconds) { lastActivity = now }

  var isInBackground: Bool { backgroundSince != nil }

  /// Notes an activity of the user.
  mutating func noteActivity(now: Milliseconds) { lastActivity = now }

  /// Notes that the app went to the background. A repeated call changes nothing.
  mutating func enterBackground(now: Milliseconds) {
    if backgroundSince == nil { backgroundSince = now }
  }

  /// Notes that the app came back. Ask for the verdict before this call, which resets the times.
  mutating func enterForeground(now: Milliseconds) {
    backgroundSince = nil
    lastActivity = now
  }

  /// Returns what is due at `now` for an unlocked wallet. A limit is reached at its exact time.
  func verdict(now: Milliseconds, limits: Limits) -> Verdict {
    if let backgroundSince {
      let end = Self.sum(backgroundSince, limits.background)
      return now >= end ? .lock : .nothing(until: end)
    }
    let end = Self.sum(lastActivity, limits.inactive)
    if now >= end { return .lock }
    guard limits.warning < limits.inactive else { return .nothing(until: end) }
    let warning = Self.sum(lastActivity, limits.warning)
    return now >= warning ? .warning(locksAt: end) : .nothing(until: warning)
  }

  /// The time at which the app reaches the limit for the background; nil in the foreground.
  func backgroundEnd(limits: Limits) -> Milliseconds? {
    backgroundSince.map { Self.sum($0, limits.background) }
  }

  /// Whether the app has reached the limit for the background, whether the wallet is locked or not.
  func isOverdueInBackground(now: Milliseconds, limits: Limits) -> Bool {
    backgroundEnd(limits: limits).map { now >= $0 } ?? false
  }

  private static func sum(_ start: Milliseconds, _ duration: Milliseconds) -> Milliseconds {
    let (sum, overflow) = start.addingReportingOverflow(duration)
    return overflow ? .max : sum
  }
}
