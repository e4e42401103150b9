internal import WalletProtocol

/// Whether it is certain where every text that is read ends.
///
/// Where a separator was lost, one text holds two elements: the letters of the second one, and
/// behind them what it says. Names hold the letters of elements too (SOLEDAD, MADDEN, WOODCUTTER),
/// so a name is refused only where
///
/// - a character stands in it that no name has, as every date, number and street brings along
///   (`DocumentText`),
/// - the letters, or they and what follows, end no name: "DBN…", "DAZBRO", "DAHAPT B", or
/// - the element is one that the card must have, is missing, and can say what follows.
///
/// A number has no such letters behind its digits, whatever follows.
///
/// What cannot be seen stands in a table of the article on proofing, which a test holds.
struct LicenceSeparation {
  let bytes: [UInt8]
  let elements: LicenceElements
  let version: Int
  let mandatory: Set<LicenceElementID>
  /// The second letters of the jurisdiction's subfiles that the header declares.
  let jurisdictions: Set<UInt8>

  var isCertain: Bool {
    for (id, value) in elements.values where LicenceElementID.openTexts.contains(id) {
      if elements.contradictory.contains(id) || elements.unterminated == id { return false }
      // A bar is some scanners' separator and part of no text.
      if bytes[value].contains(where: { $0 < 0x20 || $0 == 0x7F || $0 == UInt8(ascii: "|") }) {
        return false
      }
      // No name and no number is so long, and each of its letters is looked at.
      if value.count > 2 * DocumentText.longestName { return false }
      if isOfTwoEncodings(value) { return false }
      if value.contains(where: { begins(at: $0, in: value, of: id) }) { return false }
    }
    let dates: Set<LicenceElementID> = [.birthDate, .expiryDate, .issueDate, .country]
    return elements.contradictory.isDisjoint(with: dates)
  }

  /// Whether a pair stands in `value` that is a letter in UTF-8, and two characters that no text
  /// has side by side.
  private func isOfTwoEncodings(_ value: Range<Int>) -> Bool {
    value.dropLast().contains {
      (0xC2...0xC3).contains(bytes[$0]) && (0x80...0xBF).contains(bytes[$0 + 1])
    }
  }

  /// The letters of a jurisdiction's subfile, and those of its first element.
  static func isSubfile(_ bytes: [UInt8], at place: Int) -> Bool {
    LicenceHeader.isJurisdictions(bytes, at: place)
      && LicenceHeader.isJurisdictions(bytes, at: place + 2) && bytes[place + 1] == bytes[place + 3]
  }

  /// Whether another element seems to begin at `place`.
  private func begins(at place: Int, in value: Range<Int>, of text: LicenceElementID) -> Bool {
    if place > value.lowerBound, beginsJurisdictions(at: place, in: value) { return true }
    guard let id = LicenceElementID(bytes, at: place), id.isKnown, place + 3 <= value.upperBound
    else { return false }
    let rest = bytes[place + 3..<value.upperBound]
    if text == .number { return beginsInNumber(id, at: place, rest, value) }
    let before = bytes[value.lowerBound..<place]
    let isSuffix =
      !before.isEmpty && (text == .suffix || text == .firstEditionSuffix)
      || text == .fullName && before.count(where: { $0 == UInt8(ascii: ",") }) >= 3
    // Not so much as the letters of an element stand in one.
    return isSuffix || beginsInName(id, at: place, rest, before, of: text)
  }

  // MARK: Names

  private func beginsInName(
    _ id: LicenceElementID, at place: Int, _ rest: ArraySlice<UInt8>, _ before: ArraySlice<UInt8>,
    of text: LicenceElementID
  ) -> Bool {
    // The text itself, or its last word, once more.
    let next = rest.prefix { !Self.partsNames($0) }
    if next.count >= 5 {
      let word = before.split(whereSeparator: Self.partsNames).last ?? []
      if before.starts(with: next) || word.starts(with: next) { return true }
    }
    let isApart = before.last.map { !LicenceAgreement.isLetter($0) } ?? true
    if !before.isEmpty, isApart, id.isNoWord, rest.first.map(Self.partsNames) ?? true {
      return true
    }
    let isSaid = elements.seen.contains(id)
    if id.follows(name: rest, isApart: isApart, isSaid: isSaid, version: version) { return true }
    if let last = before.last, id.follows(last, name: rest) { return true }
    if id == text { return false }
    if beginsGivenNames(id, rest, before, of: text) { return true }
    if isSaid {
      // Said twice, and once without its separator. Short values are chance: MADDEN.
      guard let said = elements.values[id].map({ bytes[$0] }), said.count >= 5, rest.count >= 5
      else { return false }
      return said.starts(with: rest) || rest.starts(with: said)
    }
    if mandatory.contains(id) || isOfMailingAddress(id) { return id.couldSay(rest) }
    return version <= 1 && text != .fullName && id == .fullName && rest.contains(Self.comma)
  }

  /// Whether given names begin in a name on a card that has no such element elsewhere.
  ///
  /// Many names hold these letters (CANDACE, TRINIDADE). Another element with the given names
  /// decides, where there is one; without it middle names are taken to follow the first name.
  private func beginsGivenNames(
    _ id: LicenceElementID, _ rest: ArraySlice<UInt8>, _ before: ArraySlice<UInt8>,
    of text: LicenceElementID
  ) -> Bool {
    guard id == .givenName || id == .middleNames, !elements.seen.contains(id), !before.isEmpty
    else { return false }
    let stated = givenNames(except: text)
    let first = before.split(whereSeparator: Self.partsNames).last ?? before
    switch text {
    case .givenName, .givenNames:
      guard id == .middleNames else { return false }
      if stated.contains(where: { LicenceAgreement.areSame([$0], [first]) }) { return true }
      return text == .givenName && stated.isEmpty && !rest.isEmpty
    case .familyName, .firstEditionFamilyName:
      let name = rest.prefix { !Self.partsNames($0) }
      return !name.isEmpty && stated.contains { LicenceAgreement.areSame([$0], [name]) }
    default: return false
    }
  }

  /// Each given name that elements other than `text` state.
  private func givenNames(except text: LicenceElementID) -> [ArraySlice<UInt8>] {
    var names: [ArraySlice<UInt8>] = []
    for id in [LicenceElementID.givenName, .middleNames, .givenNames] where id != text {
      names += elements.values[id].map { bytes[$0].split(whereSeparator: Self.partsNames) } ?? []
    }
    // Behind the family name, where commas part them.
    if let full = elements.values[.fullName], text != .fullName {
      let parts = bytes[full].split(separator: Self.comma, omittingEmptySubsequences: false)
      names += parts.dropFirst().prefix(2).flatMap { $0.split(whereSeparator: Self.partsNames) }
    }
    return names
  }

  private static let comma = UInt8(ascii: ",")

  private static func partsNames(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0xA0 || byte == comma
  }

  /// Who has a mailing address has all of it.
  private func isOfMailingAddress(_ id: LicenceElementID) -> Bool {
    let address: Set<LicenceElementID> = ["DAL", "DAN", "DAO", "DAP"]
    return version <= 1 && address.contains(id) && !address.isDisjoint(with: elements.seen)
  }

  // MARK: Numbers

  private func beginsInNumber(
    _ id: LicenceElementID, at place: Int, _ rest: ArraySlice<UInt8>, _ value: Range<Int>
  ) -> Bool {
    if Self.isOfThreeLetters(bytes[value]) { return false }
    let before = bytes[value.lowerBound..<place]
    guard let last = before.last else { return id.isWholeNumber(rest) }
    if Self.partsNames(last) { return true }
    // Before digits they may be those of the holder's name.
    return before.count >= 4 && before.contains(where: Digits.isDigit) || id.follows(number: rest)
  }

  /// The numbers in which three letters stand by chance: Washington's of WDL and nine letters or
  /// digits, Nova Scotia's of five letters of a surname and nine digits.
  private static func isOfThreeLetters(_ number: ArraySlice<UInt8>) -> Bool {
    func isLetter(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte) }
    if number.count == 12, number.starts(with: "WDL".utf8) {
      return number.allSatisfy { isLetter($0) || Digits.isDigit($0) }
    }
    return number.count == 14 && number.prefix(5).allSatisfy(isLetter)
      && number.dropFirst(5).allSatisfy(Digits.isDigit)
  }

  // MARK: Jurisdictions

  private func beginsJurisdictions(at place: Int, in value: Range<Int>) -> Bool {
    guard place + 2 <= value.upperBound, LicenceHeader.isJurisdictions(bytes, at: place) else {
      return false
    }
    if !elements.hasJurisdictionElements, jurisdictions.contains(bytes[place + 1]) { return true }
    return !elements.hasJurisdictionSubfile && place + 5 <= value.upperBound
      && Self.isSubfile(bytes, at: place)
  }
}
