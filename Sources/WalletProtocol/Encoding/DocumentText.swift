/// The characters that names and numbers on documents may have. The wallet, which reads documents,
/// and the provider, which receives their data, share these rules. So a user is never asked to
/// rescan a card that can never pass.
public enum DocumentText {
  /// The maximum length of a name, in characters (all given names of AAMVA DL/ID 2000).
  public static let longestName = 125
  /// The maximum length of a document number; real ones are far shorter.
  public static let longestNumber = 64

  /// Returns whether the text has only characters of names: letters, marks, blanks, apostrophes,
  /// hyphens and full stops.
  public static func isName(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy { isOfName($0) }
  }

  /// Returns whether names may contain `character`.
  public static func isOfName(_ character: Unicode.Scalar) -> Bool {
    if isASCIILetter(character) { return true }
    switch character.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .nonspacingMark, .spacingMark, .enclosingMark:
      return true
    default: return " -‐‑.'’‘`´".unicodeScalars.contains(character)
    }
  }

  /// Returns whether `character` counts when names are compared.
  public static func isLetter(_ character: Unicode.Scalar) -> Bool {
    isASCIILetter(character) || character.properties.isAlphabetic
  }

  /// Returns whether suffixes may contain `character`, as in "3RD".
  public static func isOfSuffix(_ character: Unicode.Scalar) -> Bool {
    isOfName(character) || ("0"..."9").contains(character)
  }

  /// Returns whether `number` is printable ASCII and has a letter or a digit.
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
