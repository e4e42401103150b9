// If a separator was lost, the next element is joined to the end of a name or a number. These are
// the contents by which such an element can be told from the name or the number itself.

extension LicenceElementID {
  /// Whether any edition has an element with these letters.
  var isKnown: Bool {
    switch second {
    case UInt8(ascii: "A"): true
    case UInt8(ascii: "B"): third <= UInt8(ascii: "S")
    case UInt8(ascii: "C"): third <= UInt8(ascii: "U")
    default: third <= UInt8(ascii: "P")
    }
  }

  /// Whether no name contains these letters.
  var standsInNoName: Bool { Self.inNoName.contains(self) }

  private static let inNoName: Set<LicenceElementID> = [
    "DBC", "DBD", "DBF", "DBG", "DBK", "DBM", "DBN", "DBP", "DBQ", "DBS",
    "DCB", "DCD", "DCF", "DCG", "DCJ", "DCK", "DCM", "DCN", "DCP", "DCQ", "DCS", "DCT", "DDD",
  ]

  /// Whether no name ends in these letters.
  private var endsNoName: Bool { standsInNoName || Self.rareEnds.contains(self) }

  private static let rareEnds: Set<LicenceElementID> = [
    "DBH", "DBJ", "DBL", "DBR", "DCE", "DCH", "DCL", "DCR", "DCU",
  ]

  /// Whether these letters cannot be a word of a name.
  var isNoWord: Bool { Self.noWords.contains(self) }

  private static let noWords: Set<LicenceElementID> = ["DAA", "DAF", "DAJ", "DAQ", "DAZ"]

  /// Whether `rest` after these letters is the content of an element, and not the end of a name.
  ///
  /// - Parameters:
  ///   - isApart: Whether these letters begin a word.
  ///   - isSaid: Whether the card has the element elsewhere.
  func follows(
    name rest: ArraySlice<UInt8>, isApart: Bool, isSaid: Bool, version: Int
  ) -> Bool {
    if standsInNoName || LicenceElements.saysNothing(rest) { return true }
    let isEnd = rest.first.map { !LicenceAgreement.isLetter($0) } ?? true
    if isEnd { return endsNoName || isApart && second != UInt8(ascii: "A") }
    if isChoice(rest, Self.choices) || isApart && isChoice(rest, Self.wordsApart) { return true }
    if Self.addresses.contains(self) { return !isSaid && Self.isPostalAddress(rest) }
    switch self {
    case "DBL", "DBR", "DBJ", "DCL", "DCR":
      // In words a vowel follows: WOODBRIDGE, RADCLIFFE.
      return rest.first.map(Self.isConsonant) ?? false
    case "DCI": return rest.count >= 3 && !rest.starts(with: "CC".utf8)
    case "DBO": return isApart && rest.first != UInt8(ascii: "U")
    case "DBI": return version <= 1 && isChoice(rest, Self.wordsApart)
    default: return false
    }
  }

  /// Whether this element seems to begin right after `last`, a letter of a name. It does if there
  /// are three D in a row, or if a consonant precedes DDAF, DDAM or DDAN (the compliance element
  /// with its content): no name has either.
  func follows(_ last: UInt8, name rest: ArraySlice<UInt8>) -> Bool {
    second == UInt8(ascii: "D") && last == UInt8(ascii: "D")
      || self == .compliance && Self.isConsonant(last) && isChoice(rest, Self.wordsApart)
  }

  /// Whether `rest` can be the content of this element, which may consist of letters. Use it only
  /// for elements that the card must have, because names can end like this too.
  func couldSay(_ rest: ArraySlice<UInt8>) -> Bool {
    if rest.isEmpty { return true }
    switch self {
    case "DAC", "DAD": return true
    case "DAG", "DAI", "DAL", "DAN": return rest.count >= 3
    case "DAR", "DAS", "DAT", "DCA", "DCH": return rest.count <= 4
    case "DAJ", "DAO": return Self.states.contains { rest.elementsEqual($0.utf8) }
    case "DAY": return rest.elementsEqual("MAR".utf8)
    case "DDE", "DDF", "DDG": return rest.count == 1 && rest.allSatisfy("TNU".utf8.contains)
    default: return false
    }
  }

  /// Whether `rest` after these letters is the content of an element, and not the end of a number
  /// that begins with the letters of a name.
  func follows(number rest: ArraySlice<UInt8>) -> Bool {
    let digits = rest.count(where: Digits.isDigit)
    let first = rest.prefix(while: Digits.isDigit).count
    if Self.dates.contains(self) { return first == 8 && rest.count <= 9 }
    if Self.flags.contains(self) { return first == 1 && rest.count == 1 }
    if Self.measures.contains(self) {
      return first == 3 && rest.dropFirst(3).first ?? 0x20 == 0x20
    }
    if Self.addresses.contains(self) {
      return Self.isPostalAddress(rest) || rest.contains(0x20) && digits < rest.count - 1
    }
    switch self {
    case "DBK", "DBM": return digits == 9 && rest.count <= 11
    case "DAP": return (first == 5 || first == 9) && rest.count <= 11
    default: return isChoice(rest, Self.choices) || LicenceElements.saysNothing(rest)
    }
  }

  /// Whether these letters and `rest` are this element after an empty number, and not the number
  /// itself.
  func isWholeNumber(_ rest: ArraySlice<UInt8>) -> Bool {
    // Numbers of North Dakota begin with three letters of a surname.
    let isOfSurname = rest.count == 6 && rest.allSatisfy(Digits.isDigit)
    return (second == UInt8(ascii: "B") || second == UInt8(ascii: "C")) && !isOfSurname
      || follows(number: rest)
  }

  private static func isConsonant(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) && !"AEIOUY".utf8.contains(byte)
  }

  // MARK: Forms

  private static let dates: Set<LicenceElementID> = [
    "DBA", "DBB", "DBD", "DBL", "DDB", "DDC", "DDH", "DDI", "DDJ",
  ]
  private static let flags: Set<LicenceElementID> = [
    "DCE", "DDD", "DDK", "DDL", "DDM", "DDN", "DDO", "DDP",
  ]
  private static let measures: Set<LicenceElementID> = ["DAU", "DAV", "DAW", "DAX"]
  private static let addresses: Set<LicenceElementID> = ["DAG", "DAH", "DAL", "DAM"]

  /// Whether `rest` is an address line, judged by its first or last word and not by digits.
  private static func isPostalAddress(_ rest: ArraySlice<UInt8>) -> Bool {
    let words = rest.split(separator: 0x20)
    guard let first = words.first, let last = words.last else { return false }
    return beginnings.contains { first.elementsEqual($0.utf8) }
      || words.count > 1 && streets.contains { last.elementsEqual($0.utf8) }
  }

  private static let beginnings = [
    "APARTMENT", "APT", "BLDG", "BOX", "BSMT", "FL", "FLOOR", "FLR", "FRNT", "HC", "LOT", "LOWR",
    "PMB", "PO", "REAR", "RM", "ROOM", "RR", "RURAL", "SPACE", "SPC", "STE", "SUITE", "TRLR",
    "UNIT",
    "UPPR",
  ]
  /// Without those that are also surnames: LANE, STREET, WAY.
  private static let streets = [
    "AVE", "AVENUE", "BLVD", "BOULEVARD", "CIR", "CT", "DR", "DRIVE", "HIGHWAY", "HWY", "LN",
    "PKWY", "PL", "RD", "ROAD", "ST", "TER",
  ]

  // MARK: Choices

  private func isChoice(
    _ rest: ArraySlice<UInt8>, _ choices: [LicenceElementID: [String]]
  ) -> Bool {
    choices[self]?.contains { rest.elementsEqual($0.utf8) } ?? false
  }

  /// The contents that never follow these letters in a name.
  private static let choices: [LicenceElementID: [String]] = [
    "DAE": suffixes, "DBR": suffixes + ["V"], "DCU": suffixes + ["I", "V"],
    "DAF": ["DR", "HON", "MISS", "MR", "MRS", "MS", "REV"],
    "DAY": eyes, "DAZ": hair, "DBE": ["N", "Y"], "DBH": ["N", "Y"], "DBI": ["Y"],
    "DCL": ["AI", "AP", "BK", "H", "O", "U", "W", "ASIAN", "BLACK", "HISPANIC", "INDIAN", "OTHER"],
    "DCO": ["AUTO", "AUTOMATIC", "CORRECTIVE LENSES", "LENSES"],
    "DCR": ["AUTOMATIC", "EYEGLASSES", "OUTSIDE MIRROR", "OUTSIDE MIRRORS"],
    "DDF": ["N", "T", "U"], "DDG": ["N", "T", "U"],
  ]
  /// The contents that never follow these letters if the letters begin a word.
  private static let wordsApart: [LicenceElementID: [String]] = [
    "DAE": ["I", "V"], "DAO": states, "DBI": ["N", "Y"], "DBR": ["I"],
    "DDA": ["F", "M", "N"], "DDE": ["N", "T", "U"],
  ]
  private static let suffixes = [
    "CPA", "DDS", "ESQ", "II", "III", "IV", "IX", "JNR", "JR", "JR.", "MD", "PHD", "RN", "SNR",
    "SR", "SR.", "VI", "VII", "VIII",
  ]
  /// Without MAR (maroon), because DAYMAR is a name.
  private static let eyes = [
    "BLK", "BLU", "BRN", "BRO", "DIC", "GRN", "GRY", "HAZ", "PNK", "UNK", "BLACK", "BLUE", "BROWN",
    "GRAY", "GREEN", "GREY", "HAZEL",
  ]
  private static let hair = [
    "AUB", "BAL", "BLK", "BLN", "BRN", "BRO", "GRY", "RED", "SDY", "UNK", "WHI", "BALD", "BLACK",
    "BLOND", "BLONDE", "BROWN", "GRAY", "GREY", "SANDY", "WHITE",
  ]
  private static let states = [
    "AK", "AL", "AR", "AZ", "CA", "CO", "CT", "DC", "DE", "FL", "GA", "HI", "IA", "ID", "IL", "IN",
    "KS", "KY", "LA", "MA", "MD", "ME", "MI", "MN", "MO", "MS", "MT", "NC", "ND", "NE", "NH", "NJ",
    "NM", "NV", "NY", "OH", "OK", "OR", "PA", "PR", "RI", "SC", "SD", "TN", "TX", "UT", "VA", "VT",
    "WA", "WI", "WV", "WY", "AB", "BC", "MB", "NB", "NL", "NS", "NT", "NU", "ON", "PE", "QC", "SK",
    "YT",
  ]
}
