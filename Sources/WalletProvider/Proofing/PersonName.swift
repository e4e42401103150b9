import Foundation
import WalletProtocol

/// A name in the form used for comparison: words of letters and digits, without case or diacritics.
struct PersonName: Equatable {
  let words: [String]

  /// Letters that Unicode decomposition does not split, as licences spell them.
  private static let spelledOut: [Character: String] = [
    "ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i",
  ]
  /// Characters within words that cards leave out: apostrophes of all kinds and points.
  private static let silent: Set<Character> = ["'", "’", "‘", "ʼ", "ʻ", "`", "´", "."]

  init(_ text: String) {
    let folded = text.folding(
      options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil
    ).lowercased()
    var words = [""]
    for character in folded where !Self.silent.contains(character) {
      if let letters = Self.spelledOut[character] {
        words[words.count - 1] += letters
      } else if character.isLetter || character.isNumber {
        words[words.count - 1].append(character)
      } else {
        words.append("")
      }
    }
    self.words = words.filter { !$0.isEmpty }
  }

  /// Whether the text consists only of characters that occur in names.
  static func isName(_ text: String) -> Bool { DocumentText.isName(text) }

  /// The words without separators: whether there is a blank, a hyphen or nothing between them means
  /// little.
  var joined: String { words.joined() }
}
