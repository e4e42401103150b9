public import WalletModel

/// The rules for a document, in the order in which they are applied.
///
/// They can show that a document is well-formed and current, but never that it is genuine, because
/// the barcode has no signature.
public enum LicenceRule: CaseIterable, Sendable {
  /// The bytes are those of a licence.
  case header
  /// The encoding is supported.
  case encoding
  /// The issuer is known and of an accepted country.
  case issuer
  /// The kind of document is accepted.
  case kind
  /// The version is known; a newer one is read like the last known one.
  case version
  /// The address is in the issuer's jurisdiction; otherwise only a warning.
  case addressState
  /// The stated country is the issuer's.
  case country
  /// The required elements are there and can be told apart with certainty.
  case needed
  /// Dates exist in the calendar.
  case dates
  /// The birth date is in the past, and the age is accepted.
  case birth
  /// The issue date is in the past, and not in the holder's childhood.
  case issue
  /// The expiry date is after the issue date.
  case term
  /// The document has not expired.
  case expiry
  /// Names are not truncated.
  case truncation
  /// The document is not limited in its use.
  case restrictions
  /// Values have the form of the element tables, including the number.
  case form
  /// Nothing about the barcode is odd for its issuer. Only the provider can check whether another
  /// account used the document.
  case tamperSigns
}

/// A warning that the provider gets with the claims. No document is refused because of one.
public enum LicenceWarning: String, CaseIterable, Codable, Sendable {
  case versionUnknown = "version_unknown"
  case addressElsewhere = "address_elsewhere"
  case countryAbsent = "country_absent"
  case issuedToChild = "issued_to_child"
  case issueDateAbsent = "issue_date_absent"
  case termLong = "term_long"
  case familyNameTruncated = "family_name_truncated"
  case givenNameTruncated = "given_name_truncated"
  case middleNamesTruncated = "middle_names_truncated"
  case truncationUnknown = "truncation_unknown"
  case limitedTerm = "limited_term"
  case notRealID = "not_real_id"
  case unusualValues = "unusual_values"
  /// The days until which the holder is under 18, 19 or 21 are not the days of these birthdays.
  case ageDatesContradict = "age_dates_contradict"
  /// The design of the card is newer than the card.
  case designNewerThanCard = "design_newer_than_card"
  /// Offsets or lengths are wrong in a way that is not usual for the issuer.
  case offsetsUnexpected = "offsets_unexpected"
  /// The issuer's own elements, which it always prints, are missing.
  case jurisdictionPartMissing = "jurisdiction_part_missing"
}

/// Why a document was refused: the rule, and the error that the user sees.
public struct LicenceRefusal: Error, Equatable, Sendable {
  public let rule: LicenceRule
  public let error: ProofingError

  public init(_ rule: LicenceRule, _ error: ProofingError) {
    self.rule = rule
    self.error = error
  }
}
