import Foundation
import WalletProtocol

/// A name in the form that names are compared in: letters and digits without case or marks, in words.
struct PersonName: Equatable {
  let words: [String]

  /// Letters that no decomposition takes apart, as licences write them.
  private static let spelledOut: [Character: String] = [
    "ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i",
  ]
  /// What stands inside words and is left out on cards: apostrophes of all kinds, points.
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

  /// Whether the text has only what stands in names.
  static func isName(_ text: String) -> Bool { DocumentText.isName(text) }

  /// Without anything between the words: whether there is a blank, a hyphen or nothing says little.
  var joined: String { words.joined() }
}
