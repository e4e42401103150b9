public import WalletProtocol

/// A query to an issuing source about a document, as in AAMVA's Driver's License Data Verification.
public struct AttributeQuery: Sendable, RedactedDescription {
  public var issuer: LicenceIssuer
  public var documentNumber: String
  public var birthDate: CalendarDate
  public var familyName: String
  /// The family name for the PID, from the account. On the document it may be truncated.
  public var wholeFamilyName: String
  public var givenName: String
  /// The given names for the PID, with the middle names that document and account share.
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

/// The answer of an issuing source for each attribute: whether it matches, never its value.
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
  /// The source does not cover documents of this issuer.
  case notCovered
  /// The source covers the issuer but does not respond at the moment.
  case unavailable
  case answered(MatchIndicators)
}

/// A source that can confirm whether an issuer issued a document with these attributes.
public protocol AuthoritativeSource: Sendable {
  func match(_ query: AttributeQuery) async -> SourceAnswer
}

/// A source that covers no documents.
public struct NoSource: AuthoritativeSource {
  public init() {}

  public func match(_: AttributeQuery) async -> SourceAnswer { .notCovered }
}
