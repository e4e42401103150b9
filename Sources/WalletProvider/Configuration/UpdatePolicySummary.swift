import WalletProtocol

extension UpdatePolicy {
  /// A description in one line per range of versions: what the rules mean for clients, and when.
  public var summary: [String] {
    let bounds = rules.flatMap { [$0.minimumVersion, $0.belowVersion] }
      .compactMap { $0.flatMap(RuleVersion.init) }
    let starts = Set(bounds + [.first]).sorted()
    var ranges: [(start: RuleVersion, text: String)] = []
    for start in starts {
      let text = VersionTimeline(rules: rules.filter { $0.covers(start) }).text
      if ranges.last?.text != text { ranges.append((start, text)) }
    }
    return ranges.indices.map { index in
      let end = index + 1 < ranges.count ? ranges[index + 1].start.text : nil
      let start = index > 0 ? ranges[index].start.text : nil
      let range =
        switch (start, end) {
        case (nil, nil): "every version"
        case (nil, let end?): "below \(end)"
        case (let start?, nil): "\(start) and above"
        case (let start?, let end?): "\(start) and above, below \(end)"
        }
      return "\(range): \(ranges[index].text)"
    }
  }
}

extension UpdateRule {
  fileprivate func covers(_ version: RuleVersion) -> Bool {
    if let minimum = minimumVersion.flatMap(RuleVersion.init), version < minimum { return false }
    if let below = belowVersion.flatMap(RuleVersion.init), version >= below { return false }
    return true
  }
}

/// The states of one version over time.
private struct VersionTimeline {
  private enum State: Equatable {
    case allowed
    case recommend
    case warn(until: Int64)
    case block(updateAvailable: Bool)

    /// Orders the states; of two warnings, the one that ends sooner is more severe.
    var severity: (Int, Int64) {
      switch self {
      case .allowed: (0, 0)
      case .recommend: (1, 0)
      case .warn(let until): (2, -until)
      case .block(updateAvailable: true): (3, 0)
      case .block(updateAvailable: false): (4, 0)
      }
    }

    var text: String {
      switch self {
      case .allowed: "allowed"
      case .recommend: "allowed, an update is recommended"
      case .warn(let until): "allowed, with a warning of the block at \(RFC3339.text(until))"
      case .block(updateAvailable: true): "blocked, the store has an update"
      case .block(updateAvailable: false): "blocked, the store has no update"
      }
    }
  }

  let rules: [UpdateRule]

  /// How long before a block its warning begins, if the rule does not say: 7 days.
  private static let warningSeconds: Int64 = 7 * 24 * 3600

  var text: String {
    let changes = rules.flatMap { rule in
      rule.from.map { [$0 - Self.warning(rule), $0] } ?? []
    }
    var last = state(at: Int64.min)
    var parts = [last.text]
    for time in Set(changes).sorted() {
      let next = state(at: time)
      guard next != last else { continue }
      parts.append("from \(RFC3339.text(time)) on \(next.text)")
      last = next
    }
    return parts.joined(separator: "; ")
  }

  private static func warning(_ rule: UpdateRule) -> Int64 {
    rule.warningSeconds ?? warningSeconds
  }

  private func state(at time: Int64) -> State {
    rules.map { Self.state($0, at: time) }.max { $0.severity < $1.severity } ?? .allowed
  }

  private static func state(_ rule: UpdateRule, at time: Int64) -> State {
    let from = rule.from ?? Int64.min
    switch rule.grade {
    case .recommend: return time >= from ? .recommend : .allowed
    case .block:
      if time >= from { return .block(updateAvailable: rule.updateAvailable) }
      return time >= from - warning(rule) ? .warn(until: from) : .allowed
    }
  }
}
