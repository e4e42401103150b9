/// An app version in a rule: exactly three numbers separated by points.
struct RuleVersion: Comparable, Hashable {
  /// The lowest version.
  static let first = RuleVersion(parts: [0, 0, 0])

  private let parts: [UInt32]

  /// Parses `text`; nil unless it consists of three numbers.
  init?(_ text: String) {
    let texts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard texts.count == 3, text.utf8.allSatisfy(Self.isAllowed) else { return nil }
    let parts = texts.compactMap { UInt32($0) }
    guard parts.count == 3 else { return nil }
    self.parts = parts
  }

  private init(parts: [UInt32]) { self.parts = parts }

  /// The text form that is published.
  var text: String { parts.map(String.init).joined(separator: ".") }

  static func < (left: RuleVersion, right: RuleVersion) -> Bool {
    left.parts.lexicographicallyPrecedes(right.parts)
  }

  private static func isAllowed(_ character: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(character) || character == UInt8(ascii: ".")
  }
}
