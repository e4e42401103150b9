import HTTPTypes

/// The header in which a proxy names its client. Only this one is read, and the proxy must set it:
/// other headers pass through as the client wrote them.
public enum ProxyHeader: String, Sendable, CaseIterable {
  /// `X-Forwarded-For`
  case xForwardedFor = "x-forwarded-for"
  /// `Forwarded` (RFC 7239)
  case forwarded

  /// The address that the last proxy saw. Any earlier entry may come from the client.
  func client(_ headers: HTTPFields) -> ClientAddress? {
    switch self {
    case .xForwardedFor:
      guard let name = HTTPField.Name("X-Forwarded-For"), let last = Self.last(headers[name])
      else { return nil }
      return ClientAddress(literal: last)
    case .forwarded:
      guard let name = HTTPField.Name("Forwarded"), let last = Self.last(headers[name])
      else { return nil }
      for pair in last.split(separator: ";") {
        let parts = pair.split(separator: "=", maxSplits: 1).map(Self.trimmed)
        guard parts.count == 2, parts[0].lowercased() == "for" else { continue }
        return ClientAddress(literal: parts[1].filter { $0 != "\"" })
      }
      return nil
    }
  }

  /// The last element of a comma-separated list.
  private static func last(_ list: String?) -> Substring? {
    list?.split(separator: ",", omittingEmptySubsequences: false).last.map(trimmed)
  }

  private static func trimmed(_ text: Substring) -> Substring {
    var text = text.drop { $0 == " " || $0 == "\t" }
    while let last = text.last, last == " " || last == "\t" { text.removeLast() }
    return text
  }
}
