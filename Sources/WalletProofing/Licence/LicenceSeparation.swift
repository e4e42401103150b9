internal import WalletProtocol

/// Decides whether it is certain where every text ends.
///
/// Where a separator was lost, one text holds two elements: the letters of the second one, followed
/// by its content. Names contain the letters of elements too (SOLEDAD, MADDEN, WOODCUTTER), so a
/// name is refused only if
///
/// - it contains a character that no name has, as every date, number and street does
///   (`DocumentText`),
/// - the letters, alone or with what follows, end no name: "DBN…", "DAZBRO", "DAHAPT B",
/// - the element is one that the card must have, is missing, and can have what follows as its
///   content, or
/// - the element is nowhere else, and the header says that one byte was lost, as a separator would
///   be.
///
/// A number never has such letters after its digits.
///
/// The article on proofing has a table of the losses that cannot be seen; a test checks it.
struct LicenceSeparation {
  let bytes: [UInt8]
  let elements: LicenceElements
  let version: Int
  let mandatory: Set<LicenceElementID>
  /// The second letters of the jurisdiction's subfiles that the header declares.
  let jurisdictions: Set<UInt8>
  /// Whether the barcode itself confirms that none of its bytes was lost.
  let isLengthConfirmed: Bool
  /// Whether the header says that one of its bytes was lost.
  let isByteMissing: Bool

  var isCertain: Bool {
    for (id, value) in elements.values where LicenceElementID.openTexts.contains(id) {
      if elements.contradictory.contains(id) || elements.unterminated == id { return false }
      // The bar is a separator of some scanners and part of no text.
      if bytes[value].contains(where: { $0 < 0x20 || $0 == 0x7F || $0 == UInt8(ascii: "|") }) {
        return false
      }
      // No name or number is so long, and every letter costs a check.
      if value.count > 2 * DocumentText.longestName { return false }
      if isOfTwoEncodings(value) { return false }
      if value.contains(where: { begins(at: $0, in: value, of: id) }) { return false }
    }
    let dates: Set<LicenceElementID> = [.birthDate, .expiryDate, .issueDate, .country]
    return elements.contradictory.isDisjoint(with: dates)
  }

  /// Whether `value` has two characters whose bytes are one letter in UTF-8. No real text has them
  /// side by side.
  private func isOfTwoEncodings(_ value: Range<Int>) -> Bool {
    value.dropLast().contains {
      (0xC2...0xC3).contains(bytes[$0]) && (0x80...0xBF).contains(bytes[$0 + 1])
    }
  }

  /// Whether the letters of a jurisdiction's subfile, and of its first element, begin at
  /// `position`.
  static func isSubfile(_ bytes: [UInt8], at position: Int) -> Bool {
    LicenceHeader.isJurisdictions(bytes, at: position)
      && LicenceHeader.isJurisdictions(bytes, at: position + 2)
      && bytes[position + 1] == bytes[position + 3]
  }

  /// Whether another element seems to begin at `position`.
  private func begins(at position: Int, in value: Range<Int>, of text: LicenceElementID) -> Bool {
    if position > value.lowerBound, beginsJurisdictions(at: position, in: value) { return true }
    guard let id = LicenceElementID(bytes, at: position), id.isKnown,
      position + 3 <= value.upperBound
    else { return false }
    let rest = bytes[position + 3..<value.upperBound]
    if text == .number { return beginsInNumber(id, at: position, rest, value) }
    let before = bytes[value.lowerBound..<position]
    let isSuffix =
      !before.isEmpty && (text == .suffix || text == .firstEditionSuffix)
      || text == .fullName && before.count(where: { $0 == UInt8(ascii: ",") }) >= 3
    // A suffix does not even contain the letters of an element.
    return isSuffix || beginsInName(id, at: position, rest, before, of: text)
  }

  // MARK: Names

  private func beginsInName(
    _ id: LicenceElementID, at position: Int, _ rest: ArraySlice<UInt8>,
    _ before: ArraySlice<UInt8>,
    of text: LicenceElementID
  ) -> Bool {
    // The text itself, or its last word, repeated.
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
    if isByteMissing, !isSaid, !before.isEmpty { return true }
    if isSaid {
      // The card states the element twice, once without its separator. Short values could match by
      // chance: MADDEN.
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
  /// decides, where there is one. Without it middle names are taken to follow the first name, unless
  /// the barcode confirms its length and they are one or two letters, as names end behind these.
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
        && !(isLengthConfirmed && rest.count <= 2)
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

  /// A card with one element of a mailing address has all of them.
  private func isOfMailingAddress(_ id: LicenceElementID) -> Bool {
    let address: Set<LicenceElementID> = ["DAL", "DAN", "DAO", "DAP"]
    return version <= 1 && address.contains(id) && !address.isDisjoint(with: elements.seen)
  }

  // MARK: Numbers

  private func beginsInNumber(
    _ id: LicenceElementID, at position: Int, _ rest: ArraySlice<UInt8>, _ value: Range<Int>
  ) -> Bool {
    if Self.isOfThreeLetters(bytes[value]) { return false }
    let before = bytes[value.lowerBound..<position]
    guard let last = before.last else { return id.isWholeNumber(rest) }
    if Self.partsNames(last) { return true }
    // Before the digits, the letters may be those of the holder's name.
    return before.count >= 4 && before.contains(where: Digits.isDigit) || id.follows(number: rest)
  }

  /// Whether three letters can appear in the number by chance: Washington's have WDL and nine
  /// letters or digits, Nova Scotia's five letters of a surname and nine digits.
  private static func isOfThreeLetters(_ number: ArraySlice<UInt8>) -> Bool {
    func isLetter(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte) }
    if number.count == 12, number.starts(with: "WDL".utf8) {
      return number.allSatisfy { isLetter($0) || Digits.isDigit($0) }
    }
    return number.count == 14 && number.prefix(5).allSatisfy(isLetter)
      && number.dropFirst(5).allSatisfy(Digits.isDigit)
  }

  // MARK: Jurisdictions

  private func beginsJurisdictions(at position: Int, in value: Range<Int>) -> Bool {
    guard position + 2 <= value.upperBound, LicenceHeader.isJurisdictions(bytes, at: position)
    else {
      return false
    }
    if !elements.hasJurisdictionElements, jurisdictions.contains(bytes[position + 1]) {
      return true
    }
    return !elements.hasJurisdictionSubfile && position + 5 <= value.upperBound
      && Self.isSubfile(bytes, at: position)
  }
}
