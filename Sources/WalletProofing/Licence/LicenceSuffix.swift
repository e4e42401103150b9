/// The suffixes that a name can have. The list is closed: any other text in the place of a suffix
/// belongs to something else, for example to an address.
enum LicenceSuffix {
  /// Those of generations, by which a whole name can be told to end.
  private static let generations: [String: String] = [
    "JR": "JR", "JNR": "JR", "SR": "SR", "SNR": "SR",
    "I": "I", "II": "II", "III": "III", "IV": "IV", "V": "V", "VI": "VI", "VII": "VII",
    "VIII": "VIII", "IX": "IX", "X": "X",
    "1ST": "I", "2ND": "II", "3RD": "III", "4TH": "IV", "5TH": "V", "6TH": "VI", "7TH": "VII",
    "8TH": "VIII", "9TH": "IX", "10TH": "X",
  ]

  /// Those of professions. `MD` is a given name too, so they count only in an element of their own.
  private static let professions: Set<String> = [
    "CPA", "DDS", "DO", "DVM", "ESQ", "JD", "MD", "PE", "PHD", "RN",
  ]

  /// Given names and initials that look like a generation.
  private static let alsoNames: Set<String> = ["I", "V", "VI", "X"]

  /// Whether each word of an element for suffixes is one.
  static func isSuffix(_ text: ArraySlice<UInt8>) -> Bool {
    let words = words(text)
    return !words.isEmpty
      && words.allSatisfy { generation($0) != nil || professions.contains(canonical($0)) }
  }

  /// Whether `word` at the end of a whole name is a suffix.
  ///
  /// - Parameter evenIfName: Also where the word could be a given name or an initial.
  static func ends(_ word: ArraySlice<UInt8>, evenIfName: Bool) -> Bool {
    generation(word) != nil && (evenIfName || !alsoNames.contains(canonical(word)))
  }

  /// Whether all of `statements` name the same suffix; an empty one says nothing.
  static func agree(_ statements: [ArraySlice<UInt8>]) -> Bool {
    let stated = statements.map { words($0).map { generation($0) ?? canonical($0) } }
      .filter { !$0.isEmpty }
    return stated.dropFirst().allSatisfy { $0 == stated.first }
  }

  private static func words(_ text: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
    text.split { $0 == 0x20 || $0 == 0xA0 || $0 == UInt8(ascii: ",") }
  }

  private static func generation(_ word: ArraySlice<UInt8>) -> String? {
    generations[canonical(word)]
  }

  /// In capitals and without full stops. Too long for a suffix is none, so nothing of a name is copied.
  private static func canonical(_ word: ArraySlice<UInt8>) -> String {
    guard word.count <= 6 else { return "" }
    let letters = word.filter { $0 != UInt8(ascii: ".") }
      .map { (0x61...0x7A).contains($0) ? $0 & 0xDF : $0 }
    return String(decoding: letters, as: UTF8.self)
  }
}
