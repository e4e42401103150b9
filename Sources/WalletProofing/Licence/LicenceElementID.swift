internal import WalletProtocol

/// The three letters that an element begins with, e.g. "DAQ".
struct LicenceElementID: Hashable, Sendable, ExpressibleByStringLiteral {
  private let code: UInt32

  init(stringLiteral name: StaticString) {
    code = name.withUTF8Buffer { $0.prefix(3).reduce(0) { $0 << 8 | UInt32($1) } }
  }

  /// Reads the id at `position`: D, a letter from A to D, and any letter.
  init?(_ bytes: [UInt8], at position: Int) {
    guard position >= 0, position < bytes.count, bytes.count - position >= 3,
      bytes[position] == UInt8(ascii: "D"),
      (UInt8(ascii: "A")...UInt8(ascii: "D")).contains(bytes[position + 1]),
      (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(bytes[position + 2])
    else { return nil }
    code = bytes[position..<position + 3].reduce(0) { $0 << 8 | UInt32($1) }
  }

  var second: UInt8 { UInt8(truncatingIfNeeded: code >> 8) }
  var third: UInt8 { UInt8(truncatingIfNeeded: code) }

  static let familyName: LicenceElementID = "DCS"
  static let givenName: LicenceElementID = "DAC"
  static let middleNames: LicenceElementID = "DAD"
  static let suffix: LicenceElementID = "DCU"
  static let givenNames: LicenceElementID = "DCT"
  static let number: LicenceElementID = "DAQ"
  static let birthDate: LicenceElementID = "DBB"
  static let expiryDate: LicenceElementID = "DBA"
  static let issueDate: LicenceElementID = "DBD"
  static let addressState: LicenceElementID = "DAJ"
  static let country: LicenceElementID = "DCG"
  static let familyNameTruncation: LicenceElementID = "DDE"
  static let givenNameTruncation: LicenceElementID = "DDF"
  static let middleNamesTruncation: LicenceElementID = "DDG"
  static let compliance: LicenceElementID = "DDA"
  static let limitedTerm: LicenceElementID = "DDD"
  static let revisionDate: LicenceElementID = "DDB"
  static let underAgeUntil: [Int: LicenceElementID] = [18: "DDH", 19: "DDI", 21: "DDJ"]

  // Elements of the first edition. Later editions dropped them, but some issuers still use them,
  // and no edition gave these letters another meaning.
  static let fullName: LicenceElementID = "DAA"
  static let firstEditionFamilyName: LicenceElementID = "DAB"
  static let firstEditionSuffix: LicenceElementID = "DAE"

  /// The elements that names and the number consist of. Nothing but the separator shows where such
  /// a text ends.
  static let openTexts: Set<LicenceElementID> = [
    familyName, givenName, middleNames, suffix, givenNames, number, fullName,
    firstEditionFamilyName, firstEditionSuffix,
  ]

  /// Returns the elements that a card of `version` must have, with or without content.
  static func mandatory(in version: Int, _ kind: LicenceKind) -> Set<LicenceElementID> {
    let common: Set<LicenceElementID> = ["DAG", "DAI", "DAJ", "DAK", "DAQ", "DBA", "DBB", "DBD"]
    switch version {
    case ...1:
      let driver: Set<LicenceElementID> = kind == .identityCard ? [] : ["DAR", "DAS", "DAT"]
      return common.union(driver).union(["DBC"])
    default: break
    }
    let driver: Set<LicenceElementID> =
      kind == .identityCard
      ? [] : version <= 3 ? ["DCA", "DCB", "DCD", "DCH"] : ["DCA", "DCB", "DCD"]
    let later = common.union(driver).union(["DBC", "DCS", "DAY", "DAU", "DCF", "DCG"])
    switch version {
    case 2: return later.union(["DCT", "DCU", "DCE"])
    case 3: return later.union(["DCT"])
    default: return later.union(["DAC", "DAD", "DDE", "DDF", "DDG"])
    }
  }
}
