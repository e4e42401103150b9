import WalletProtocol

/// An update policy as written by an operator.
struct UpdatePolicyDocument: Decodable {
  let rules: [UpdateRule]

  init(from decoder: any Decoder) throws {
    let members = try StrictMembers(decoder, location: "the policy", known: ["rules"])
    rules = try members.required([UpdateRuleDocument].self, "rules", "a list of rules, [...]")
      .map(\.rule)
  }
}

/// A rule as written by an operator.
private struct UpdateRuleDocument: Decodable {
  let rule: UpdateRule

  private static let known = [
    "minimum_version", "below_version", "grade", "from", "warning_seconds", "update_available",
  ]

  init(from decoder: any Decoder) throws {
    let location = "rule \((decoder.codingPath.last?.intValue ?? 0) + 1)"
    let members = try StrictMembers(decoder, location: location, known: Self.known)
    let minimum = try Self.version("minimum_version", members)
    let below = try Self.version("below_version", members)
    if let minimum, let below, minimum >= below {
      throw SettingsError("\(location): \"minimum_version\" must be lower than \"below_version\"")
    }
    rule = UpdateRule(
      minimumVersion: minimum?.text, belowVersion: below?.text, grade: try Self.grade(members),
      from: try Self.from(members), warningSeconds: try Self.warning(members),
      updateAvailable: try members.optional(Bool.self, "update_available", "true or false") ?? true)
  }

  private static func version(_ name: String, _ members: StrictMembers) throws -> RuleVersion? {
    let wanted = "a version of three numbers, like \"1.2.3\""
    guard let text = try members.optional(String.self, name, wanted) else { return nil }
    guard let version = RuleVersion(text) else { throw members.refusal(name, wanted) }
    return version
  }

  private static func grade(_ members: StrictMembers) throws -> UpdateRule.Grade {
    let wanted = "\"recommend\" or \"block\""
    let text = try members.required(String.self, "grade", wanted)
    guard let grade = UpdateRule.Grade(rawValue: text) else {
      throw members.refusal("grade", wanted)
    }
    return grade
  }

  private static func from(_ members: StrictMembers) throws -> Int64? {
    let wanted = "seconds since 1970 or a time like \"2026-01-31T12:00:00Z\""
    guard members.has("from") else { return nil }
    var seconds: Int64?
    if let text = try? members.optional(String.self, "from", wanted) {
      seconds = RFC3339.seconds(text)
    } else {
      seconds = try members.optional(Int64.self, "from", wanted)
    }
    guard let seconds, RFC3339.range.contains(seconds) else {
      throw members.refusal("from", wanted)
    }
    return seconds
  }

  private static func warning(_ members: StrictMembers) throws -> Int64? {
    let longest = ProviderSettings.longestDuration / 1000
    let wanted = "a whole number of seconds from 0 to \(longest), 366 days"
    guard let seconds = try members.optional(Int64.self, "warning_seconds", wanted) else {
      return nil
    }
    guard (0...longest).contains(seconds) else { throw members.refusal("warning_seconds", wanted) }
    return seconds
  }
}
