/// Whether a card can be used, and if not, why.
public enum CardState: String, Codable, Sendable, CaseIterable {
  /// Usable, by all that is known.
  case valid
  /// Usable, but it should be replaced soon.
  case expiresSoon = "expires-soon"
  /// The time from which it counts has not come yet.
  case notYetValid = "not-yet-valid"
  case expired
  /// The issuer has withdrawn it for good.
  case revoked
  /// The issuer has withdrawn it for the time being, or for a reason that is not known here.
  case suspended
  /// The issuer publishes whether it has withdrawn the card, but that could not be read lately. It
  /// can be used, and a verifier may refuse it.
  case unchecked
  /// The platform has lost the keys of all its copies.
  case keyLost = "key-lost"
  /// The wallet's configuration no longer trusts the authority of its issuer. It can be used: this
  /// is a warning, because each verifier decides by itself whom it trusts.
  case untrusted
  /// What the wallet has stored of it is damaged. It can be deleted, and not used.
  case unreadable

  /// Whether the card can be presented.
  public var isUsable: Bool {
    switch self {
    case .valid, .expiresSoon, .unchecked, .untrusted: true
    case .notYetValid, .expired, .revoked, .suspended, .keyLost, .unreadable: false
    }
  }
}

extension CardState {
  /// The longest time before its end in which a card should be replaced, in seconds: 30 days.
  private static let maximumLead: Int64 = 30 * 24 * 60 * 60

  /// How far the clock of an issuer may be ahead, in seconds.
  private static let skew: Int64 = 60

  /// The state by a card's times alone. It expires soon in the last tenth of its life, but at most
  /// 30 days before its end.
  ///
  /// - Parameters:
  ///   - issuedAt: when its life begins, in seconds since 1970, as all times here. Without it, only
  ///     the 30 days count.
  ///   - now: by the provider's clock.
  public init(issuedAt: Int64?, notBefore: Int64?, expires: Int64?, now: Int64) {
    if let expires, expires <= now {
      self = .expired
    } else if let notBefore, notBefore.subtractingReportingOverflow(Self.skew).partialValue > now {
      self = .notYetValid
    } else if let expires {
      let lead = min(Self.maximumLead, Self.tenth(from: issuedAt, to: expires))
      let (left, overflow) = expires.subtractingReportingOverflow(now)
      self = !overflow && left <= lead ? .expiresSoon : .valid
    } else {
      self = .valid
    }
  }

  /// The times at which the state by a card's times alone can become another one, all in seconds
  /// since 1970.
  public static func turns(issuedAt: Int64?, notBefore: Int64?, expires: Int64?) -> [Int64] {
    var turns: [Int64] = []
    if let notBefore { turns.append(notBefore.subtractingReportingOverflow(skew).partialValue) }
    if let expires {
      let lead = min(maximumLead, tenth(from: issuedAt, to: expires))
      turns += [expires.subtractingReportingOverflow(lead).partialValue, expires]
    }
    return turns
  }

  /// A tenth of a card's life; the longest time if it is not known.
  private static func tenth(from issuedAt: Int64?, to expires: Int64) -> Int64 {
    guard let issuedAt else { return .max }
    let (life, overflow) = expires.subtractingReportingOverflow(issuedAt)
    return overflow ? .max : life / 10
  }
}

/// How an issuer wants a card to be shown. All of it comes from the issuer and proves nothing.
public struct CardDisplay: Equatable, Sendable, Codable {
  /// The name of the card, such as "Library card".
  public var name: String?
  /// The colours, "#rrggbb".
  public var backgroundColor: String?
  public var textColor: String?

  public init(
    name: String? = nil, backgroundColor: String? = nil, textColor: String? = nil
  ) {
    self.name = name
    self.backgroundColor = backgroundColor
    self.textColor = textColor
  }
}
