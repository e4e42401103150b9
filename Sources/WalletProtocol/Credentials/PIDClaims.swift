/// The claims of a PID, named as in the EUDI PID rulebook's SD-JWT VC encoding where it has a name.
///
/// A PID states nothing that a driver's licence does not show, such as nationality or place of
/// birth. It states no level of assurance either: `verification` says what the issuer knows, and
/// nothing more can be claimed.
public struct PIDClaims: Codable, Equatable, Sendable, RedactedDescription {
  /// The `vct`.
  public static let type = "urn:wallet-provider:pid:1"
  /// The claims that the holder may withhold. Every verifier sees who issued the PID and what was
  /// checked.
  public static let disclosable: Set<String> = [
    "family_name", "given_name", "birthdate", "age_equal_or_over",
  ]
  /// The maximum validity in seconds: 90 days, because a PID cannot be revoked.
  public static let maximumValidity: Int64 = 90 * 24 * 60 * 60

  /// Nil if the holder withheld it. The same holds for the next three claims.
  public var familyName: String?
  /// All given names, separated by blanks.
  public var givenName: String?
  public var birthdate: CalendarDate?
  public var ageEqualOrOver: AgeStatements?
  /// The name of the authority that issued the PID.
  public var issuingAuthority: String
  /// The issuer's country, ISO 3166-1 alpha-2.
  public var issuingCountry: String
  public var verification: PIDVerification

  /// Creates all claims, as they are issued.
  ///
  /// - Parameter issuedOn: the local day of issue at the issuer; ages are stated as of it.
  public init(
    familyName: String, givenName: String, birthdate: CalendarDate, issuedOn: CalendarDate,
    issuingAuthority: String, issuingCountry: String, verification: PIDVerification
  ) {
    self.familyName = familyName
    self.givenName = givenName
    self.birthdate = birthdate
    self.ageEqualOrOver = AgeStatements(over18: birthdate.age(on: issuedOn) >= 18)
    self.issuingAuthority = issuingAuthority
    self.issuingCountry = issuingCountry
    self.verification = verification
  }

  /// Returns the content of a PID that is bound to `holderKey`. Throws if the PID would be valid
  /// for longer than `maximumValidity`.
  public func content(
    issuer: String, issuedAt: Int64, expires: Int64, holderKey: SubjectPublicKey
  ) throws -> SDJWTContent {
    let (validity, overflow) = expires.subtractingReportingOverflow(issuedAt)
    guard !overflow, validity <= Self.maximumValidity else { throw SDJWTError.contentMalformed }
    let claims = try JSONValue(encoding: self).object ?? [:]
    return SDJWTContent(
      issuer: issuer, type: Self.type, issuedAt: issuedAt, expires: expires, holderKey: holderKey,
      claims: claims, disclosable: Self.disclosable)
  }

  enum CodingKeys: String, CodingKey {
    case birthdate, verification
    case familyName = "family_name"
    case givenName = "given_name"
    case ageEqualOrOver = "age_equal_or_over"
    case issuingAuthority = "issuing_authority"
    case issuingCountry = "issuing_country"
  }
}

/// Whether the holder had reached each age on the day of issue. Ages not reached are stated too:
/// otherwise the number of digests would tell every verifier who is under age.
public struct AgeStatements: Codable, Equatable, Sendable {
  public var over18: Bool

  public init(over18: Bool) { self.over18 = over18 }

  enum CodingKeys: String, CodingKey {
    case over18 = "18"
  }
}

/// What the issuer knows of the proofing, and nothing more.
public struct PIDVerification: Codable, Equatable, Sendable {
  /// The evidence, by the document types of OpenID Connect for Identity Assurance.
  public enum Evidence: String, Codable, Sendable, CaseIterable {
    case drivingPermit = "driving_permit"
    case identityCard = "idcard"
  }

  public var evidence: Evidence
  /// The wallet claims to have read the barcode of a current document. The issuer has not seen it.
  public var barcodeClaimed: Bool
  /// Name and birth date are those of the account.
  public var accountMatch: Bool
  /// The issuing source of the evidence confirmed its attributes.
  public var issuingSourceMatch: Bool
  /// The issuer ran as a demonstration, in which people are proofed without an issuing source.
  public var demonstration: Bool

  public init(
    evidence: Evidence, barcodeClaimed: Bool, accountMatch: Bool, issuingSourceMatch: Bool,
    demonstration: Bool
  ) {
    self.evidence = evidence
    self.barcodeClaimed = barcodeClaimed
    self.accountMatch = accountMatch
    self.issuingSourceMatch = issuingSourceMatch
    self.demonstration = demonstration
  }

  enum CodingKeys: String, CodingKey {
    case evidence, demonstration
    case barcodeClaimed = "barcode_claimed"
    case accountMatch = "account_match"
    case issuingSourceMatch = "issuing_source_match"
  }
}
