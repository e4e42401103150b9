public import WalletProtocol

/// What an issuing source is asked about a document, as in AAMVA's Driver's License Data Verification.
public struct AttributeQuery: Sendable, RedactedDescription {
  public var issuer: LicenceIssuer
  public var documentNumber: String
  public var birthDate: CalendarDate
  public var familyName: String
  /// The name that the PID will say: the account's, where the document cut it.
  public var wholeFamilyName: String
  public var givenName: String
  /// As `wholeFamilyName`, with the middle names that are shared.
  public var wholeGivenName: String
  public var expiryDate: CalendarDate

  init(_ claims: LicenceClaims, names: MatchedNames, issuer: LicenceIssuer) {
    self.issuer = issuer
    documentNumber = claims.documentNumber
    birthDate = claims.birthDate
    familyName = claims.familyName
    wholeFamilyName = names.familyName
    givenName = claims.givenName
    wholeGivenName = names.givenName
    expiryDate = claims.expiryDate
  }
}

/// What an issuing source says of each attribute: whether it matches, never what it has.
public struct MatchIndicators: Sendable, Equatable {
  public var documentNumber: Bool
  public var birthDate: Bool
  public var familyName: Bool
  public var givenName: Bool
  public var expiryDate: Bool

  public init(
    documentNumber: Bool, birthDate: Bool, familyName: Bool, givenName: Bool, expiryDate: Bool
  ) {
    self.documentNumber = documentNumber
    self.birthDate = birthDate
    self.familyName = familyName
    self.givenName = givenName
    self.expiryDate = expiryDate
  }

  public var allMatch: Bool {
    documentNumber && birthDate && familyName && givenName && expiryDate
  }
}

/// The answer of an issuing source.
public enum SourceAnswer: Sendable, Equatable {
  /// It knows nothing of this issuer's documents.
  case notCovered
  /// It should know and does not answer at the moment.
  case unavailable
  case answered(MatchIndicators)
}

/// Whoever can tell whether an issuer issued a document with these attributes.
public protocol AuthoritativeSource: Sendable {
  func match(_ query: AttributeQuery) async -> SourceAnswer
}

/// No source at all: nobody's documents are covered.
public struct NoSource: AuthoritativeSource {
  public init() {}

  public func match(_: AttributeQuery) async -> SourceAnswer { .notCovered }
}
