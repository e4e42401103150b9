/// The suffixes that a name can have. The list is closed: any other text in the place of a suffix
/// belongs to something else, for example to an address.
enum LicenceSuffix {
  /// Generational suffixes (JR, III), each in all its spellings. They mark the end of a whole name.
  private static let generations = [
    ["JR", "JNR"], ["SR", "SNR"], ["I", "1ST"], ["II", "2ND"], ["III", "3RD"], ["IV", "4TH"],
    ["V", "5TH"], ["VI", "6TH"], ["VII", "7TH"], ["VIII", "8TH"], ["IX", "9TH"], ["X", "10TH"],
  ]

  /// Professions that are no names, by which the end of a whole name is told as well.
  private static let professions = ["CPA", "DDS", "DVM", "ESQ", "PHD"]

  /// Professions that are names, initials or particles too, so they count only in an element or a
  /// part of their own.
  private static let ambiguousProfessions = ["DO", "JD", "MD", "PE", "RN"]

  /// Given names and initials that look like a generation.
  private static let alsoNames = ["I", "V", "VI", "X"]

  /// Whether each word of an element for suffixes is one.
  static func isSuffix(_ text: ArraySlice<UInt8>) -> Bool {
    let words = words(text)
    return !words.isEmpty && words.allSatisfy { identity($0) != nil }
  }

  /// Whether `word` at the end of a whole name is a suffix.
  ///
  /// - Parameter evenIfName: Also where the word could be a given name or an initial.
  static func ends(_ word: ArraySlice<UInt8>, evenIfName: Bool) -> Bool {
    isGeneration(word)
      && (evenIfName || !alsoNames.contains { isWritten(word, $0) })
      || professions.contains { isWritten(word, $0) }
  }

  static func isGeneration(_ word: ArraySlice<UInt8>) -> Bool {
    generations.contains { $0.contains { isWritten(word, $0) } }
  }

  /// Whether `word` at the end of a whole name is taken for a name, but could be a suffix.
  static func couldEnd(_ word: ArraySlice<UInt8>) -> Bool {
    ambiguousProfessions.contains { isWritten(word, $0) }
  }

  /// Whether all of `statements` name the same suffix; an empty one says nothing.
  static func agree(_ statements: [ArraySlice<UInt8>]) -> Bool {
    let stated = statements.map(words).filter { !$0.isEmpty }
    guard let first = stated.first else { return true }
    return stated.dropFirst().allSatisfy { other in
      other.count == first.count && zip(other, first).allSatisfy(isSame)
    }
  }

  private static func isSame(_ first: ArraySlice<UInt8>, _ second: ArraySlice<UInt8>) -> Bool {
    identity(first).map { $0 == identity(second) } ?? first.elementsEqual(second)
  }

  /// The number of a suffix in the lists above.
  private static func identity(_ word: ArraySlice<UInt8>) -> Int? {
    generations.firstIndex { $0.contains { isWritten(word, $0) } }
      ?? (professions + ambiguousProfessions).firstIndex { isWritten(word, $0) }
      .map { generations.count + $0 }
  }

  private static func words(_ text: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
    text.split { $0 == 0x20 || $0 == 0xA0 || $0 == UInt8(ascii: ",") }
  }

  /// Whether `word` is `suffix`, without case and full stops. Letter by letter, because a copy of a
  /// name would stay in memory.
  private static func isWritten(_ word: ArraySlice<UInt8>, _ suffix: String) -> Bool {
    word.lazy.filter { $0 != UInt8(ascii: ".") }
      .map { (0x61...0x7A).contains($0) ? $0 & 0xDF : $0 }
      .elementsEqual(suffix.utf8)
  }
}
