/// The kind of a licence, with the two letters that name its subfile in the barcode.
public enum LicenceKind: String, CaseIterable, Codable, Sendable {
  case licence = "DL"
  case identityCard = "ID"
  case enhancedLicence = "EN"
}

/// The few data of a licence that the provider receives. In the wallet, `LicenceEvidence` writes
/// them.
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
  /// What the wallet noticed about the document without refusing it. A warning that a name may be
  /// truncated changes how the provider compares this name. The other warnings only reach
  /// `IdentityVetting`, for the people who vet.
  public var warnings: [String]
  /// How the barcode differs from its standard. Used like the other warnings.
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
