import WalletProtocol

/// The names of a document as far as they were held against those of the account.
struct MatchedNames: Equatable {
  let familyName: String
  /// The given names that are the same, separated by blanks.
  let givenName: String

  /// Nil where the document is not that of the account's person.
  init?(_ claims: LicenceClaims, of person: AccountPerson) {
    let warnings = Set(claims.warnings)
    guard
      let familyName = NameMatching.familyName(
        person.familyName, as: claims.familyName,
        truncated: warnings.contains("family_name_truncated")),
      let givenName = NameMatching.givenName(
        person.givenName, as: claims.givenName, middleNames: claims.middleNames,
        truncated: warnings.contains("given_name_truncated"))
    else { return nil }
    self.familyName = familyName
    self.givenName = givenName
  }
}

/// Holds the names of a document against those of an account.
enum NameMatching {
  /// In folded characters. The wallet says which name is cut, so a few letters must not be enough.
  private static let shortestCutName = 10

  /// The document's name where it is the account's, the account's where the document cut it off.
  static func familyName(_ account: String, as document: String, truncated: Bool) -> String? {
    let (known, read) = (PersonName(account).joined, PersonName(document).joined)
    guard !known.isEmpty else { return nil }
    if known == read { return document }
    return truncated && isCut(read, of: known) ? account : nil
  }

  /// The given names that document and account share. The given name of the document must be all of
  /// the account's or its first ones; the others may be missing, since issuers differ in what they do
  /// with them. What only one of the two has is left out.
  static func givenName(
    _ account: String, as document: String, middleNames: String?, truncated: Bool
  ) -> String? {
    let (words, read) = (words(account), PersonName(document).joined)
    guard !words.isEmpty, !read.isEmpty else { return nil }
    let middle = middleNames.map(Self.words) ?? []
    let all = ([document] + middle).joined(separator: " ")
    if PersonName(account).joined == PersonName(all).joined { return all }
    for count in 1...words.count {
      let first = words.prefix(count).joined(separator: " ")
      let known = PersonName(first).joined
      if known == read {
        return ([document] + shared(words.dropFirst(count), middle)).joined(separator: " ")
      }
      if truncated && isCut(read, of: known) { return first }
    }
    return nil
  }

  /// All of the document's middle names where the account has the same ones, in this order, whole or as
  /// initials; otherwise none. Of a name that one of them has as an initial, that is all that is shared.
  private static func shared(_ account: ArraySlice<String>, _ middle: [String]) -> [String] {
    guard middle.count <= account.count else { return [] }
    var names: [String] = []
    for (known, read) in zip(account, middle) {
      let (knownLetters, readLetters) = (PersonName(known).joined, PersonName(read).joined)
      if knownLetters == readLetters || isInitial(readLetters, of: knownLetters) {
        names.append(read)
      } else if isInitial(knownLetters, of: readLetters) {
        names.append(known)
      } else {
        return []
      }
    }
    return names
  }

  private static func isInitial(_ letters: String, of name: String) -> Bool {
    letters.count == 1 && name.hasPrefix(letters)
  }

  private static func isCut(_ read: String, of known: String) -> Bool {
    read.count >= shortestCutName && read.count < known.count && known.hasPrefix(read)
  }

  /// A hyphen joins what is one given name; only blanks separate them.
  private static func words(_ names: String) -> [String] {
    names.split(separator: " ").map(String.init).filter { !PersonName($0).joined.isEmpty }
  }
}
