import WalletProtocol

/// The names that a document and an account share, as the account spells them. The spelling that a
/// wallet sends is only compared, and never signed.
struct MatchedNames: Equatable {
  let familyName: String
  /// The shared given names, separated by blanks.
  let givenName: String

  /// Nil if the document does not belong to the account's person.
  init?(_ claims: LicenceClaims, of person: AccountPerson) {
    guard
      let familyName = NameMatching.familyName(
        person.familyName, as: claims.familyName,
        mayBeCut: claims.familyNameMayBeCut),
      let givenName = NameMatching.givenName(
        person.givenName, as: claims.givenName, middleNames: claims.middleNames,
        mayBeCut: claims.givenNameMayBeCut)
    else { return nil }
    self.familyName = familyName
    self.givenName = givenName
  }
}

extension LicenceClaims {
  /// The field length that AAMVA DL/ID gives a family name and a given name, in printed characters.
  private static let nameField = 40

  var familyNameMayBeCut: Bool { mayBeCut(familyName, "family_name_truncated") }

  var givenNameMayBeCut: Bool { mayBeCut(givenName, "given_name_truncated") }

  /// Some issuers do not know whether a name is truncated, and mark every name as unknown. Then
  /// only a name that fills its field counts as possibly truncated. Otherwise the beginning of any
  /// name would match the whole name.
  private func mayBeCut(_ name: String, _ warning: String) -> Bool {
    warnings.contains(warning)
      || warnings.contains("truncation_unknown") && name.count >= Self.nameField
  }
}

/// Compares the names of a document with those of an account.
enum NameMatching {
  /// The shortest truncated name that can match, in folded characters. It is the wallet that
  /// reports which name is truncated, so a few letters must not be sufficient.
  private static let shortestCutName = 10

  /// The account's name if the document's name is equal to it or is a truncated form of it;
  /// otherwise nil.
  static func familyName(_ account: String, as document: String, mayBeCut: Bool) -> String? {
    let (known, read) = (PersonName(account), PersonName(document))
    guard !known.joined.isEmpty else { return nil }
    guard known.joined == read.joined || mayBeCut && isCut(read, of: known) else { return nil }
    return account.split(separator: " ").joined(separator: " ")
  }

  /// The given names that document and account share. The given name on the document must be all of
  /// the account's given names or the first of them. The account's other given names may be missing
  /// from the document, because issuers treat them differently. A name that only one of the two has
  /// is left out. All are spelled as in the account.
  static func givenName(
    _ account: String, as document: String, middleNames: String?, mayBeCut: Bool
  ) -> String? {
    let (words, read) = (words(account), PersonName(document))
    guard !words.isEmpty, !read.joined.isEmpty else { return nil }
    let middle = middleNames.map(Self.words) ?? []
    let all = ([document] + middle).joined(separator: " ")
    if PersonName(account).joined == PersonName(all).joined {
      return words.joined(separator: " ")
    }
    for count in 1...words.count {
      let first = words.prefix(count).joined(separator: " ")
      let known = PersonName(first)
      if known.joined == read.joined {
        return ([first] + shared(words.dropFirst(count), middle)).joined(separator: " ")
      }
      if mayBeCut && isCut(read, of: known) { return first }
    }
    return nil
  }

  /// The account's names that are the document's middle names, if the account has all of these in
  /// this order, in full or as initials; otherwise none. If one side has only an initial, only the
  /// initial is shared.
  private static func shared(_ account: ArraySlice<String>, _ middle: [String]) -> [String] {
    guard middle.count <= account.count else { return [] }
    var names: [String] = []
    for (known, read) in zip(account, middle) {
      let (knownLetters, readLetters) = (PersonName(known).joined, PersonName(read).joined)
      if knownLetters == readLetters || isInitial(knownLetters, of: readLetters) {
        names.append(known)
      } else if isInitial(readLetters, of: knownLetters),
        let initial = known.first(where: \.isLetter)
      {
        names.append(String(initial))
      } else {
        return []
      }
    }
    return names
  }

  private static func isInitial(_ letters: String, of name: String) -> Bool {
    letters.count == 1 && name.hasPrefix(letters)
  }

  /// Issuers truncate from the right. By AAMVA DL/ID 2020, A.7.7, the first letter after each blank
  /// and hyphen is kept; some issuers truncate regardless.
  private static func isCut(_ read: PersonName, of known: PersonName) -> Bool {
    guard read.joined.count >= shortestCutName, read.joined.count < known.joined.count else {
      return false
    }
    if known.joined.hasPrefix(read.joined) { return true }
    let words = Array(zip(read.words, known.words))
    guard read.words.count == known.words.count,
      let cut = words.firstIndex(where: { $0 != $1 }), words[cut].1.hasPrefix(words[cut].0)
    else { return false }
    return words[(cut + 1)...].allSatisfy { read, known in read == known.prefix(1) }
  }

  /// A hyphen joins one given name; only blanks separate given names.
  private static func words(_ names: String) -> [String] {
    names.split(separator: " ").map(String.init).filter { !PersonName($0).joined.isEmpty }
  }
}
