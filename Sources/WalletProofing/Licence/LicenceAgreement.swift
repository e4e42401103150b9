/// Compares what several elements say of one name.
///
/// Issuers shorten names, leave out middle names and move them to other elements. Two statements
/// therefore agree if one is the beginning of the other, letter by letter or word by word.
enum LicenceAgreement {
  /// Returns whether all statements can be true.
  ///
  /// - Parameter statements: Each statement consists of one or more pieces of text. An empty
  ///   statement agrees with every other.
  static func holds(_ statements: [[ArraySlice<UInt8>]]) -> Bool {
    for (index, first) in statements.enumerated() {
      for second in statements.dropFirst(index + 1) where !agree(first, second) { return false }
    }
    return true
  }

  /// Whether both have the same letters, regardless of case.
  static func areSame(_ first: [ArraySlice<UInt8>], _ second: [ArraySlice<UInt8>]) -> Bool {
    letters(first).elementsEqual(letters(second))
  }

  static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte & 0xDF) || byte >= 0xC0
  }

  private static func agree(_ first: [ArraySlice<UInt8>], _ second: [ArraySlice<UInt8>]) -> Bool {
    // Works on slices, so that nothing of the text is copied.
    isBeginning(first, second)
      || zip(words(first), words(second)).allSatisfy { isBeginning([$0], [$1]) }
  }

  private static func words(_ pieces: [ArraySlice<UInt8>]) -> [ArraySlice<UInt8>] {
    pieces.flatMap { $0.split { !isLetter($0) } }
  }

  /// Whether one is the beginning of the other, by letters regardless of case.
  private static func isBeginning(
    _ first: [ArraySlice<UInt8>], _ second: [ArraySlice<UInt8>]
  ) -> Bool {
    zip(letters(first), letters(second)).allSatisfy { $0 == $1 }
  }

  private static func letters(_ pieces: [ArraySlice<UInt8>]) -> some Sequence<UInt8> {
    pieces.lazy.joined().filter(isLetter).map { $0 < 0x80 ? $0 & 0xDF : $0 }
  }
}
