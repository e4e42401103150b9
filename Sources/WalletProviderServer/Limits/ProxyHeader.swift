import HTTPTypes

/// The header in which a proxy gives the address of its client. Only the configured header is read.
/// The proxy must set it, because it passes other headers on as the client wrote them.
public enum ProxyHeader: String, Sendable, CaseIterable {
  /// `X-Forwarded-For`
  case xForwardedFor = "x-forwarded-for"
  /// `Forwarded` (RFC 7239)
  case forwarded

  /// The last address in the header: the one that the nearest proxy saw. Earlier ones may have been
  /// written by the client.
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
