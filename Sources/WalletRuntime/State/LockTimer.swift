internal import WalletPlatform

/// When the wallet locks by itself (flows UC9.7); pure, time is given to it.
struct LockTimer: Equatable, Sendable {
  /// The times of the configuration, in milliseconds.
  struct Limits: Equatable, Sendable {
    var inactive: Milliseconds
    var warning: Milliseconds
    var background: Milliseconds
  }

  /// What is due.
  enum Verdict: Equatable, Sendable {
    /// Nothing before the time given.
    case nothing(until: Milliseconds)
    /// The warning is due or was given; locks at the time given.
    case warning(locksAt: Milliseconds)
    case lock
  }

  private var lastActivity: Milliseconds
  private var backgroundSince: Milliseconds?

  /// Starts in the foreground, with the activity of the start itself.
  init(now: Milliseconds) { lastActivity = now }

  var isInBackground: Bool { backgroundSince != nil }

  /// The user did something.
  mutating func noteActivity(now: Milliseconds) { lastActivity = now }

  /// The app went to the background; a second word of it changes nothing.
  mutating func enterBackground(now: Milliseconds) {
    if backgroundSince == nil { backgroundSince = now }
  }

  /// The app came back; to be asked for its verdict before.
  mutating func enterForeground(now: Milliseconds) {
    backgroundSince = nil
    lastActivity = now
  }

  /// What is due at `now` for a wallet that is unlocked. At the limit counts as over it.
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

  /// When the app will have been in the background for as long as it may; nil in the foreground.
  func backgroundEnd(limits: Limits) -> Milliseconds? {
    backgroundSince.map { Self.sum($0, limits.background) }
  }

  /// Whether the app has been in the background for as long as it may, locked or not.
  func isOverdueInBackground(now: Milliseconds, limits: Limits) -> Bool {
    backgroundEnd(limits: limits).map { now >= $0 } ?? false
  }

  private static func sum(_ start: Milliseconds, _ duration: Milliseconds) -> Milliseconds {
    let (sum, overflow) = start.addingReportingOverflow(duration)
    return overflow ? .max : sum
  }
}
