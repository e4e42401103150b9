/// An app version, "major.minor.patch". A suffix (a pre-release or a build) is ignored.
public struct AppVersion: Comparable, Sendable {
  private let parts: [UInt32]

  /// Nil unless `text` starts with three numbers.
  public init?(_ text: String) {
    let core = text.prefix { $0 != "-" && $0 != "+" }
    let parts = core.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3 else { return nil }
    var numbers: [UInt32] = []
    for part in parts {
      guard part.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = UInt32(part) else {
        return nil
      }
      numbers.append(number)
    }
    self.parts = numbers
  }

  public static func < (left: AppVersion, right: AppVersion) -> Bool {
    left.parts.lexicographicallyPrecedes(right.parts)
  }
}
