public import WalletProtocol

/// Whether a name was cut to fit the card.
public enum NameTruncation: String, Sendable {
  case truncated = "T"
  case whole = "N"
  case unknown = "U"
}

/// What a card states for an element with limited values.
public enum Stated<Value: Equatable & Sendable>: Equatable, Sendable {
  case absent
  /// The text is none of the possible values.
  case unreadable
  case value(Value)
}

/// What was read from a licence's barcode, as far as the rules and the evidence need it. Nothing is
/// checked yet.
public struct LicenceDocument: Sendable, RedactedDescription {
  /// The issuer identification number.
  public internal(set) var issuerNumber: Int
  /// The version of the standard, 1 (2000) and later.
  public internal(set) var version: Int
  public internal(set) var kind: LicenceKind?
  public internal(set) var familyName: PersonalText?
  public internal(set) var givenName: PersonalText?
  public internal(set) var middleNames: PersonalText?
  public internal(set) var suffix: PersonalText?
  public internal(set) var number: PersonalText?
  public internal(set) var birthDate: Stated<CalendarDate> = .absent
  public internal(set) var issueDate: Stated<CalendarDate> = .absent
  public internal(set) var expiryDate: Stated<CalendarDate> = .absent
  /// The state of the address, which need not be the issuer's.
  public internal(set) var addressState: PersonalText?
  public internal(set) var country: Stated<LicenceCountry> = .absent
  public internal(set) var familyNameTruncation: NameTruncation?
  public internal(set) var givenNameTruncation: NameTruncation?
  public internal(set) var middleNamesTruncation: NameTruncation?
  /// For each age in years, the day until which the holder is under that age.
  public internal(set) var underAgeUntil: [Int: Stated<CalendarDate>] = [:]
  /// The date since which cards of this design are made.
  public internal(set) var revisionDate: Stated<CalendarDate> = .absent
  /// Whether the issuer added elements of its own.
  public internal(set) var hasJurisdictionPart = false
  /// Whether the card is valid only as long as the holder may stay in the country.
  public internal(set) var isLimitedTerm = false
  /// Whether the card says that it does not comply with REAL ID.
  public internal(set) var isNonCompliant = false
  /// False if it is uncertain which characters belong to which element.
  public internal(set) var areElementsSeparate = true
  /// False if a name, the suffix or the number has characters or a length that the provider does
  /// not accept.
  public internal(set) var areTextsPlain = true
  /// How the barcode differs from its edition of the standard.
  public internal(set) var deviations: Set<LicenceDeviation> = []
}

/// How a barcode can differ from the standard and still be read. The provider gets these as
/// evidence. None of them says anything about the person.
public enum LicenceDeviation: String, CaseIterable, Codable, Sendable {
  // The header.
  case leadingBytes = "leading_bytes"
  case headerControls = "header_controls"
  case fileType = "file_type"
  case issuerNumberShort = "issuer_number_short"
  case issuerNumberUnassigned = "issuer_number_unassigned"
  case headerShape = "header_shape"
  case designators
  case offsets
  case subfileLetters = "subfile_letters"

  // The bytes.
  case transcoded
  case strayControls = "stray_controls"
  case separators
  case trailingBytes = "trailing_bytes"
  case unterminated

  // The elements.
  case mandatoryMissing = "mandatory_missing"
  case unknownTokens = "unknown_tokens"
  case repeatedElements = "repeated_elements"
  case dateOrder = "date_order"
  case dateForm = "date_form"
  case nameForm = "name_form"
  /// First and last name were told apart only by their order.
  case nameOrder = "name_order"
  case unusualValues = "unusual_values"
}
