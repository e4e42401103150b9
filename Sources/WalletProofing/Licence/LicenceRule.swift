public import WalletModel

/// The rules that a document is held against, in the order in which they are.
///
/// They can show that a document is well-formed and current, never that it is genuine: the barcode
/// carries no signature.
public enum LicenceRule: String, CaseIterable, Sendable {
  /// The bytes are a licence's.
  case header = "V1"
  /// In the encoding that is read.
  case encoding = "V2"
  /// The issuer is known and of an accepted country.
  case issuer = "V3"
  /// The kind of document is accepted.
  case kind = "V3a"
  /// The version is known; newer ones are read like the last known.
  case version = "V4"
  /// The address is in the issuer's jurisdiction, which it need not be.
  case addressState = "V5"
  /// The stated country is the issuer's.
  case country = "V6"
  /// What is needed is there, and certainly is what it seems.
  case needed = "V7"
  /// Dates are days of the calendar.
  case dates = "V8"
  /// Born, and of an age that is accepted.
  case birth = "V9"
  /// Issued, and not to a child.
  case issue = "V10"
  /// Expires after it was issued.
  case term = "V11"
  /// Not expired.
  case expiry = "V12"
  /// Names are whole.
  case truncation = "V13"
  /// Not limited in what it stands for.
  case restrictions = "V14"
  /// Values are of the form that the element tables give, the number among them (V15).
  case form = "V16"
  /// Nothing about the barcode is odd for its issuer; which document another account used (V17)
  /// only the provider knows.
  case tamperSigns = "V18"
}

/// What is told to the provider beside the claims; none of them refuses a document.
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
  /// The days until which the holder is under 18, 19 or 21 are not those birthdays.
  case ageDatesContradict = "age_dates_contradict"
  /// The design of the card is newer than the card.
  case designNewerThanCard = "design_newer_than_card"
  /// Offsets or lengths are wrong in a way that is not known of the issuer.
  case offsetsUnexpected = "offsets_unexpected"
  /// The issuer's own elements are missing, which it always prints.
  case jurisdictionPartMissing = "jurisdiction_part_missing"
}

/// A document was refused: by which rule, and as what the user is told.
public struct LicenceRefusal: Error, Equatable, Sendable {
  public let rule: LicenceRule
  public let error: ProofingError

  public init(_ rule: LicenceRule, _ error: ProofingError) {
    self.rule = rule
    self.error = error
  }
}
