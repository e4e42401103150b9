/// An app version in a rule: three numbers with points between, nothing else.
struct RuleVersion: Comparable, Hashable {
  /// Where the versions begin.
  static let first = RuleVersion(parts: [0, 0, 0])

  private let parts: [UInt32]

  /// Nil for anything but three numbers.
  init?(_ text: String) {
    let texts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard texts.count == 3, text.utf8.allSatisfy(Self.isAllowed) else { return nil }
    let parts = texts.compactMap { UInt32($0) }
    guard parts.count == 3 else { return nil }
    self.parts = parts
  }

  private init(parts: [UInt32]) { self.parts = parts }

  /// As it is published.
  var text: String { parts.map(String.init).joined(separator: ".") }

  static func < (left: RuleVersion, right: RuleVersion) -> Bool {
    left.parts.lexicographicallyPrecedes(right.parts)
  }

  private static func isAllowed(_ character: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(character) || character == UInt8(ascii: ".")
  }
}
