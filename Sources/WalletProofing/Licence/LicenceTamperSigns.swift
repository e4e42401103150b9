internal import WalletProtocol

/// Signs that a barcode is odd for its issuer, as far as the text alone shows them.
///
/// Anyone can print a barcode, and forgers often get such details wrong. Real cards have such
/// errors too, so the signs are reported to the provider, and no document is refused because of
/// them. Formats of numbers and discriminators by issuer are not checked, because no published list
/// of them is known.
enum LicenceTamperSigns {
  static func warnings(_ document: LicenceDocument) -> Set<LicenceWarning> {
    var warnings: Set<LicenceWarning> = []
    if !areAgesOfBirth(document) { warnings.insert(.ageDatesContradict) }
    if case .value(let revision) = document.revisionDate,
      case .value(let issue) = document.issueDate, revision > issue
    {
      warnings.insert(.designNewerThanCard)
    }
    if areOffsetsUnexpected(document) { warnings.insert(.offsetsUnexpected) }
    if !document.hasJurisdictionPart, alwaysWithTheirOwnPart.contains(document.issuerNumber) {
      warnings.insert(.jurisdictionPartMissing)
    }
    return warnings
  }

  /// Whether the days until which the holder is under 18, 19 and 21 are the days of these
  /// birthdays.
  private static func areAgesOfBirth(_ document: LicenceDocument) -> Bool {
    guard case .value(let birth) = document.birthDate else { return true }
    return document.underAgeUntil.allSatisfy { age, day in
      guard case .value(let day) = day else { return true }
      let birthday = CalendarDate(year: birth.year + age, month: birth.month, day: birth.day)
      // A birthday on February 29 falls on February 28 or March 1 in other years.
      return day == birthday
        || birthday == nil
          && [(2, 28), (3, 1)].contains { month, date in
            day == CalendarDate(year: birth.year + age, month: month, day: date)
          }
    }
  }

  /// Whether offsets or lengths are wrong although the scanner changed no bytes, and the issuer is
  /// not known for wrong ones.
  private static func areOffsetsUnexpected(_ document: LicenceDocument) -> Bool {
    let changed: Set<LicenceDeviation> = [
      .leadingBytes, .headerControls, .transcoded, .strayControls, .separators, .trailingBytes,
      .unterminated,
    ]
    return document.deviations.contains(.offsets) && document.deviations.isDisjoint(with: changed)
      && !knownForOffsets.contains(document.issuerNumber)
  }

  /// Massachusetts, South Carolina, Connecticut, Ontario, Colorado, Pennsylvania, Wyoming, West
  /// Virginia and Alberta under both of its numbers.
  private static let knownForOffsets: Set = [
    636_002, 636_005, 636_006, 636_012, 636_020, 636_025, 636_060, 636_061, 604_432,
    LicenceIssuer.unassignedAlberta,
  ]

  /// Virginia, New York and New Jersey print elements of their own on every card.
  private static let alwaysWithTheirOwnPart: Set = [636_000, 636_001, 636_036]
}
