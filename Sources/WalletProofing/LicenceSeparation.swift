/// Whether it is certain where every text that is read ends.
///
/// Where a separator was lost, one text holds two elements. It shows in letters that stand in no name,
/// in what only an element says behind its letters, and in elements that are missing elsewhere. Names
/// that hold the letters of elements are read as names (SOLEDAD, MADDEN, WOODCUTTER). What cannot be
/// seen: an element that may be missing and whose letters and content are the end of a name (JUDAH, or
/// JU and an empty second line of the address).
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
      if value.dropFirst().contains(where: { begins(at: $0, in: value, of: id) }) {
        return false
      }
    }
    let dates: Set<LicenceElementID> = [.birthDate, .expiryDate, .issueDate, .country]
    return elements.contradictory.isDisjoint(with: dates)
  }

  /// The letters of a jurisdiction's subfile, and those of its first element.
  static func isSubfile(_ bytes: [UInt8], at place: Int) -> Bool {
    LicenceHeader.isJurisdictions(bytes, at: place)
      && LicenceHeader.isJurisdictions(bytes, at: place + 2) && bytes[place + 1] == bytes[place + 3]
  }

  /// Whether something that is missing elsewhere seems to begin at `place`.
  private func begins(at place: Int, in value: Range<Int>, of text: LicenceElementID) -> Bool {
    if beginsJurisdictions(at: place, in: value) { return true }
    guard let id = LicenceElementID(bytes, at: place), place + 3 <= value.upperBound else {
      return false
    }
    let before = bytes[value.lowerBound..<place]
    let isSuffix =
      text == .suffix
      || text == .fullName && before.count(where: { $0 == UInt8(ascii: ",") }) >= 3
    // Not so much as the letters of an element stand in one.
    if isSuffix { return true }
    let rest = bytes[place + 3..<value.upperBound]
    // The text itself, or its last word, once more.
    let word = before.split(whereSeparator: Self.partsNames).last ?? []
    let next = rest.prefix { !Self.partsNames($0) }
    if next.count >= 5, before.starts(with: next) || word.starts(with: next) { return true }
    // The end of a name, or of one of several.
    if next.isEmpty, id.endsNoText { return true }
    if !rest.isEmpty, LicenceElements.saysNothing(rest) { return true }
    if text == .number ? id.follows(number: rest) : id.follows(name: rest) { return true }
    if id == text { return false }
    if elements.seen.contains(id) {
      // Said twice, and once without its separator. Short values are chance: MADDEN.
      guard let said = elements.values[id].map({ bytes[$0] }), said.count >= 5, rest.count >= 5
      else { return false }
      return said.starts(with: rest) || rest.starts(with: said)
    }
    return mandatory.contains(id) || version <= 1 && LicenceElementID.firstNames.contains(id)
      || id.isCompliance(rest)
  }

  private static func partsNames(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == UInt8(ascii: ",")
  }

  private func beginsJurisdictions(at place: Int, in value: Range<Int>) -> Bool {
    guard place + 2 <= value.upperBound, LicenceHeader.isJurisdictions(bytes, at: place) else {
      return false
    }
    if !elements.hasJurisdictionElements, jurisdictions.contains(bytes[place + 1]) { return true }
    return !elements.hasJurisdictionSubfile && place + 5 <= value.upperBound
      && Self.isSubfile(bytes, at: place)
  }
}

extension LicenceElementID {
  /// Whether no name and no number ends in these letters: DB and DC stand in the middle of few, and
  /// at the end of none.
  fileprivate var endsNoText: Bool { Self.rareEnds.contains(self) }

  private static let rareEnds: Set<LicenceElementID> = [
    "DBG", "DBN", "DBS", "DCE", "DCF", "DCJ", "DCK", "DCL",
    "DCM", "DCN", "DCP", "DCQ", "DCR", "DCS", "DCT", "DCU",
  ]

  /// Whether `rest` behind these letters is an element's, and not the end of a name.
  fileprivate func follows(name rest: ArraySlice<UInt8>) -> Bool {
    if rest.first.map(Digits.isDigit) ?? false { return true }
    return Self.freeTexts.contains(self) || isChoice(rest)
  }

  /// Whether `rest` behind these letters is an element's, and not the end of a number. Numbers are
  /// made of letters and digits in every order, some of them of the letters of names.
  fileprivate func follows(number rest: ArraySlice<UInt8>) -> Bool {
    let hasDigits = rest.contains(where: Digits.isDigit)
    if Self.freeTexts.contains(self) { return !hasDigits || Self.counters.contains(self) }
    if Self.dates.contains(self) {
      return rest.count >= 8 && rest.prefix(2).allSatisfy(Digits.isDigit)
    }
    if Self.flags.contains(self) { return rest.count == 1 && hasDigits }
    if Self.measures.contains(self) {
      let isMeasure = rest.count >= 3 && rest.prefix(3).allSatisfy(Digits.isDigit)
      return isMeasure && rest.dropFirst(3).first ?? 0x20 == 0x20
    }
    return isChoice(rest)
  }

  /// Names end like this too, so it counts only where the element is missing.
  fileprivate func isCompliance(_ rest: ArraySlice<UInt8>) -> Bool {
    self == .compliance && rest.count == 1 && "FN".utf8.contains(rest[rest.startIndex])
  }

  /// The parts of a name in the first edition.
  fileprivate static let firstNames: Set<LicenceElementID> = ["DAB", "DAC", "DAD", "DAE"]

  /// Texts that may say anything, behind letters that stand in no name: names, place of birth, the
  /// issuer's own numbers.
  private static let freeTexts: Set<LicenceElementID> = [
    "DBG", "DBN", "DBS", "DCI", "DCJ", "DCK", "DCS", "DCT",
  ]
  private static let counters: Set<LicenceElementID> = ["DCJ", "DCK"]
  private static let dates: Set<LicenceElementID> = [
    "DBA", "DBB", "DBD", "DDB", "DDC", "DDH", "DDI", "DDJ",
  ]
  private static let flags: Set<LicenceElementID> = [
    "DCE", "DDD", "DDK", "DDL", "DDM", "DDN", "DDO", "DDP",
  ]
  private static let measures: Set<LicenceElementID> = ["DAU", "DAV", "DAW", "DAX"]

  /// Whether `rest` is one of the few things that this element can say.
  private func isChoice(_ rest: ArraySlice<UInt8>) -> Bool {
    Self.choices[self]?.contains { rest.elementsEqual($0.utf8) } ?? false
  }

  private static let choices: [LicenceElementID: [String]] = [
    "DCU": ["JR", "SR", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX"],
    "DCL": ["AI", "AP", "BK", "H", "O", "U", "W"],
    "DAY": eyes, "DAZ": ["BAL", "BLK", "BLN", "BRO", "GRY", "RED", "SDY", "WHI", "UNK"],
  ]
  private static let eyes = [
    "BLK", "BLU", "BRO", "GRY", "GRN", "HAZ", "MAR", "PNK", "DIC", "UNK",
  ]
}
