/// The media types of an Accept header (RFC 9110 section 12.5.1).
struct AcceptedTypes {
  private let ranges: [(type: String, isWanted: Bool)]

  /// - Parameter header: nil accepts everything.
  init(_ header: String?) {
    ranges = (header ?? "").split(separator: ",").map { part in
      let parts = part.split(separator: ";").map { text in
        text.lowercased().filter { $0 != " " && $0 != "\t" }
      }
      let weight = parts.dropFirst().first { $0.hasPrefix("q=") }
      return (
        type: parts.first ?? "", isWanted: weight.map { Double($0.dropFirst(2)) != 0 } ?? true
      )
    }
  }

  /// Whether a content of this type may be sent. The most specific range decides. A header without
  /// any range is as none.
  ///
  /// - Parameter type: in lower case, without parameters.
  func accept(_ type: String) -> Bool {
    guard !ranges.isEmpty else { return true }
    for range in [type, String(type.prefix { $0 != "/" }) + "/*", "*/*"] {
      if let found = ranges.first(where: { $0.type == range }) { return found.isWanted }
    }
    return false
  }
}
