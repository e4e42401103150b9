/// The kind of a licence, by the letters of its subfile.
public enum LicenceKind: String, CaseIterable, Codable, Sendable {
  case licence = "DL"
  case identityCard = "ID"
  case enhancedLicence = "EN"
}

/// The minimal set of a licence, as it reaches the provider; the wallet's `LicenceEvidence` writes
/// it.
public struct LicenceClaims: Codable, Equatable, Sendable, RedactedDescription {
  public var familyName: String
  public var givenName: String
  public var middleNames: String?
  public var nameSuffix: String?
  public var birthDate: CalendarDate
  public var documentNumber: String
  public var expiryDate: CalendarDate
  /// The issuer identification number, six digits.
  public var issuerNumber: String
  public var documentKind: LicenceKind
  /// What the wallet noticed without refusing the document. A name that may be truncated is
  /// compared as such. The other warnings are only shown to the people who vet, and are part of the
  /// verdict.
  public var warnings: [String]
  /// How the barcode differs from its standard, used in the same way.
  public var deviations: [String]

  public init(
    familyName: String, givenName: String, middleNames: String? = nil, nameSuffix: String? = nil,
    birthDate: CalendarDate, documentNumber: String, expiryDate: CalendarDate,
    issuerNumber: String, documentKind: LicenceKind, warnings: [String] = [],
    deviations: [String] = []
  ) {
    self.familyName = familyName
    self.givenName = givenName
    self.middleNames = middleNames
    self.nameSuffix = nameSuffix
    self.birthDate = birthDate
    self.documentNumber = documentNumber
    self.expiryDate = expiryDate
    self.issuerNumber = issuerNumber
    self.documentKind = documentKind
    self.warnings = warnings
    self.deviations = deviations
  }

  enum CodingKeys: String, CodingKey {
    case warnings, deviations
    case familyName = "family_name"
    case givenName = "given_name"
    case middleNames = "middle_names"
    case nameSuffix = "name_suffix"
    case birthDate = "birth_date"
    case documentNumber = "document_number"
    case expiryDate = "expiry_date"
    case issuerNumber = "issuer_number"
    case documentKind = "document_kind"
  }
}
