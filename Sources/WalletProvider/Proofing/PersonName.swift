import Foundation

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

  /// Without anything between the words: whether there is a blank, a hyphen or nothing says little.
  var joined: String { words.joined() }
}

/// Whether the names of a document are those of an account.
enum NameMatching {
  /// - Parameter truncated: whether the document may have cut the name off.
  static func isSameFamilyName(_ account: String, as document: String, truncated: Bool) -> Bool {
    matches(PersonName(account).joined, PersonName(document).joined, truncated: truncated)
  }

  /// The first given name suffices: issuers differ in what they do with the others.
  static func isSameGivenName(
    _ account: String, as document: String, middleNames: String?, truncated: Bool
  ) -> Bool {
    let (account, given) = (PersonName(account), PersonName(document))
    if matches(account.joined, given.joined, truncated: truncated) { return true }
    let all = given.joined + PersonName(middleNames ?? "").joined
    if matches(account.joined, all, truncated: truncated) { return true }
    guard let first = account.words.first, let documentFirst = given.words.first else {
      return false
    }
    return matches(first, documentFirst, truncated: truncated)
  }

  private static func matches(_ account: String, _ document: String, truncated: Bool) -> Bool {
    guard !account.isEmpty, !document.isEmpty else { return false }
    return account == document || (truncated && account.hasPrefix(document))
  }
}
