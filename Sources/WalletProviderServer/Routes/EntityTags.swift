/// The entity tags of an If-None-Match header (RFC 9110 section 13.1.2).
struct EntityTags {
  private let tags: [Substring]

  init(_ header: String?) {
    tags = (header ?? "").split(separator: ",").map { part in
      var tag = part.drop { $0 == " " || $0 == "\t" }
      while let last = tag.last, last == " " || last == "\t" { tag.removeLast() }
      return tag
    }
  }

  /// Whether the header contains `tag` or "*". For a GET it does not matter whether a tag is marked
  /// as weak.
  func match(_ tag: String) -> Bool {
    tags.contains { $0 == "*" || ($0.hasPrefix("W/") ? $0.dropFirst(2) : $0) == tag }
  }
}
