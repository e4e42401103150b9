import WalletProtocol
import WalletTrust

/// A list of trust anchors as written by an operator.
struct TrustAnchorDocument: Decodable {
  let anchors: [TrustAnchorEntry]

  init(from decoder: any Decoder) throws {
    let members = try StrictMembers(decoder, location: "the file", known: ["anchors"])
    let wanted = "a list of anchors, [...]"
    anchors = try members.required([TrustAnchorEntry].self, "anchors", wanted)
    guard anchors.count <= PublishedAnchor.maximumCount else {
      throw SettingsError("there are more than \(PublishedAnchor.maximumCount) anchors")
    }
  }
}

/// A trust anchor as written by an operator.
struct TrustAnchorEntry: Decodable {
  /// Where the certificate is, as PEM.
  enum Source {
    case text(String)
    case file(String)
  }

  let name: String
  let role: TrustRole
  let types: [String]
  let source: Source
  /// The first and the last second, since 1970.
  let from, until: Int64

  /// The place in the list and the name.
  private let location: String

  private static let known = [
    "name", "role", "types", "certificate", "certificate_file", "from", "until",
  ]

  init(from decoder: any Decoder) throws {
    let place = "anchor \((decoder.codingPath.last?.intValue ?? 0) + 1)"
    name = try Self.name(StrictMembers(decoder, location: place, known: Self.known))
    location = "\(place), \"\(name)\""
    let members = try StrictMembers(decoder, location: location, known: Self.known)
    let roles = "one of " + TrustRole.allCases.map(\.rawValue).joined(separator: ", ")
    guard let role = TrustRole(rawValue: try members.required(String.self, "role", roles)) else {
      throw members.refusal("role", roles)
    }
    self.role = role
    types = try Self.types(members, role: role)
    source = try Self.source(members)
    from = try Self.second("T00:00:00Z", of: "from", members)
    until = try Self.second("T23:59:59Z", of: "until", members)
    guard from <= until else { throw refusal("\"from\" must not be later than \"until\"") }
  }

  func refusal(_ reason: String) -> SettingsError { SettingsError("\(location): \(reason)") }

  private static func name(_ members: StrictMembers) throws -> String {
    let wanted = "a line of 1 to \(TrustAnchor.maximumNameLength) bytes"
    let name = try members.required(String.self, "name", wanted)
    guard (1...TrustAnchor.maximumNameLength).contains(name.utf8.count),
      name.unicodeScalars.allSatisfy({ !isInvisible($0) })
    else { throw members.refusal("name", wanted) }
    return name
  }

  /// Whether it would break or disguise a line of text.
  private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }

  private static func types(_ members: StrictMembers, role: TrustRole) throws -> [String] {
    guard role == .issuer else {
      guard !members.has("types") else {
        throw members.refusal("types", "left out, but for issuers")
      }
      return []
    }
    let wanted =
      "a list of 1 to \(TrustAnchor.maximumTypes) different types of cards of 1 to"
      + " \(TrustAnchor.maximumTypeLength) bytes"
    let types = try members.required([String].self, "types", wanted)
    guard (1...TrustAnchor.maximumTypes).contains(types.count), Set(types).count == types.count,
      types.allSatisfy({ (1...TrustAnchor.maximumTypeLength).contains($0.utf8.count) })
    else { throw members.refusal("types", wanted) }
    return types
  }

  private static func source(_ members: StrictMembers) throws -> Source {
    let text = try members.optional(String.self, "certificate", "a PEM certificate")
    let file = try members.optional(String.self, "certificate_file", "the path of a PEM file")
    switch (text, file) {
    case (let text?, nil): return .text(text)
    case (nil, let file?): return .file(file)
    default: throw members.refusal("certificate", "there, or else \"certificate_file\"")
    }
  }

  private static func second(
    _ time: String, of name: String, _ members: StrictMembers
  ) throws -> Int64 {
    let wanted = "a day like \"2030-12-31\""
    let day = try members.required(CalendarDate.self, name, wanted)
    guard let second = RFC3339.seconds(day.text + time), RFC3339.range.contains(second) else {
      throw members.refusal(name, wanted)
    }
    return second
  }
}
