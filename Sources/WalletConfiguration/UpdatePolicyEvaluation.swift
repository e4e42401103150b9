internal import WalletModel
internal import WalletProtocol

/// Determines the state of one app version under a policy at one time. Pure.
struct UpdatePolicyEvaluation: Sendable {
  let claims: UpdatePolicyClaims

  /// How long before a block the warning begins, in seconds, if the rule does not say it.
  static let warningSeconds: Int64 = 7 * 24 * 60 * 60

  /// Returns the state of the most severe rule that matches: block, then the warning with the least
  /// time, then recommend; ok if none matches.
  ///
  /// - Parameter now: Seconds since 1970.
  func state(of version: AppVersion, now: Int64) -> VersionState {
    claims.rules.filter { Self.matches($0, version) }
      .map { Self.state($0, now: now) }
      .max { Self.severity($0) < Self.severity($1) } ?? .ok
  }

  /// Returns the time at which the state next changes by itself, in seconds since 1970.
  func nextChange(of version: AppVersion, after now: Int64) -> Int64? {
    claims.rules.filter { Self.matches($0, version) }
      .flatMap { rule -> [Int64] in
        guard let from = rule.from else { return [] }
        return [from, from.subtractingReportingOverflow(Self.warning(rule)).partialValue]
      }
      .filter { $0 > now }.min()
  }

  private static func warning(_ rule: UpdateRule) -> Int64 {
    max(0, rule.warningSeconds ?? warningSeconds)
  }

  /// A version in a rule that cannot be read sets no limit, so that a typing error never disables a
  /// rule.
  private static func matches(_ rule: UpdateRule, _ version: AppVersion) -> Bool {
    if let text = rule.minimumVersion, let minimum = AppVersion(text), version < minimum {
      return false
    }
    if let text = rule.belowVersion, let below = AppVersion(text), version >= below { return false }
    return true
  }

  private static func state(_ rule: UpdateRule, now: Int64) -> VersionState {
    let from = rule.from ?? Int64.min
    switch rule.grade {
    case .recommend: return now >= from ? .recommend : .ok
    case .block:
      if now >= from { return .block(updateAvailable: rule.updateAvailable) }
      let (left, overflow) = from.subtractingReportingOverflow(now)
      guard !overflow, left <= warning(rule) else { return .ok }
      let (milliseconds, tooLong) = left.multipliedReportingOverflow(by: 1000)
      return tooLong ? .ok : .warn(milliseconds: milliseconds)
    }
  }

  /// The severity of a state; among warnings, the one that ends sooner is more severe.
  private static func severity(_ state: VersionState) -> (Int, Int64) {
    switch state {
    case .ok: (0, 0)
    case .recommend: (1, 0)
    case .warn(let left): (2, -left)
    case .block(updateAvailable: true): (3, 0)
    case .block(updateAvailable: false): (4, 0)
    }
  }
}
