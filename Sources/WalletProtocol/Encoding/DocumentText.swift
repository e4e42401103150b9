/// What names and numbers on documents are made of: the same for the wallet that reads them and for
/// the provider that is sent them, so that nobody scans a card again that can never pass.
public enum DocumentText {
  /// The longest name that a licence has, in characters (all given names of AAMVA DL/ID 2000).
  public static let longestName = 125
  /// The longest document number, by far.
  public static let longestNumber = 64

  /// Whether the text has only what stands in names: letters, marks, blanks, apostrophes, hyphens
  /// and full stops.
  public static func isName(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy { isOfName($0) }
  }

  /// Whether `character` stands in names.
  public static func isOfName(_ character: Unicode.Scalar) -> Bool {
    if isASCIILetter(character) { return true }
    switch character.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .nonspacingMark, .spacingMark, .enclosingMark:
      return true
    default: return " -‐‑.'’‘`´".unicodeScalars.contains(character)
    }
  }

  /// Whether it is one by which names are compared.
  public static func isLetter(_ character: Unicode.Scalar) -> Bool {
    isASCIILetter(character) || character.properties.isAlphabetic
  }

  /// Whether `character` stands in suffixes, as in "3RD".
  public static func isOfSuffix(_ character: Unicode.Scalar) -> Bool {
    isOfName(character) || ("0"..."9").contains(character)
  }

  /// Whether `number` is printable ASCII, and has a letter or a digit.
  public static func isNumber(_ number: some Sequence<UInt8>) -> Bool {
    var hasContent = false
    for byte in number {
      guard (0x20...0x7E).contains(byte) else { return false }
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "a")...UInt8(ascii: "z"):
        hasContent = true
      default: break
      }
    }
    return hasContent
  }

  private static func isASCIILetter(_ character: Unicode.Scalar) -> Bool {
    ("A"..."Z").contains(character) || ("a"..."z").contains(character)
  }
}
