public import WalletProtocol

/// The claims of a PID, named as in the EUDI PID rulebook's SD-JWT VC encoding where it has a name.
///
/// A PID states nothing that a driver's licence does not show, such as nationality or place of
/// birth. It states no level of assurance either: `verification` says what the issuer knows, and
/// nothing more can be claimed.
public struct PIDClaims: Codable, Equatable, Sendable, RedactedDescription {
  /// The ages in `age_equal_or_over`. Verifiers ask for one of them instead of the birth date.
  public static let ages = [16, 18, 21, 65]
  /// What the holder may withhold, each by itself. Every verifier sees who issued the PID, until
  /// when it is valid and what was checked.
  public static let disclosable: Set<ClaimsPath> = Set(
    ([["family_name"], ["given_name"], ["birthdate"]]
      + ages.map { ["age_equal_or_over", String($0)] })
      .compactMap { try? ClaimsPath($0.map(ClaimsPath.Component.name)) })
  /// The maximum validity in seconds: 90 days.
  public static let maximumValidity: Int64 = 90 * day
  private static let day: Int64 = 24 * 60 * 60

  public var familyName: String
  /// All given names, separated by blanks.
  public var givenName: String
  public var birthdate: CalendarDate
  /// Whether the holder had reached each of `ages` on the day of issue. Ages not reached are stated
  /// too: otherwise the number of digests would tell every verifier who is under age.
  public var ageEqualOrOver: [String: Bool]
  /// The last day on which the PID is valid, in UTC.
  public var dateOfExpiry: CalendarDate
  /// The name of the authority that issued the PID.
  public var issuingAuthority: String
  /// The issuer's country, ISO 3166-1 alpha-2.
  public var issuingCountry: String
  public var verification: PIDVerification

  /// Creates all claims, as they are issued.
  ///
  /// - Parameters:
  ///   - issuedOn: the local day of issue at the issuer; ages are stated as of it.
  ///   - validity: when the PID ends.
  public init(
    familyName: String, givenName: String, birthdate: CalendarDate, issuedOn: CalendarDate,
    validity: PIDValidity, issuingAuthority: String, issuingCountry: String,
    verification: PIDVerification
  ) {
    self.familyName = familyName
    self.givenName = givenName
    self.birthdate = birthdate
    let age = birthdate.age(on: issuedOn)
    ageEqualOrOver = Dictionary(
      uniqueKeysWithValues: Self.ages.map { (String($0), age >= $0) })
    dateOfExpiry = validity.lastDay
    self.issuingAuthority = issuingAuthority
    self.issuingCountry = issuingCountry
    self.verification = verification
  }

  /// What a copy of the PID states.
  ///
  /// - Parameter holderKey: the key that this copy is bound to.
  public func statement(
    type: String, issuer: String?, validity: PIDValidity, holderKey: SubjectPublicKey,
    status: CredentialStatusSource
  ) throws -> CredentialStatement {
    CredentialStatement(
      type: type, issuer: issuer, issuedAt: validity.issuedAt, expires: validity.expires,
      holderKey: holderKey, status: status, claims: try JSONValue(encoding: self).object ?? [:],
      disclosable: Self.disclosable)
  }

  enum CodingKeys: String, CodingKey {
    case birthdate, verification
    case familyName = "family_name"
    case givenName = "given_name"
    case ageEqualOrOver = "age_equal_or_over"
    case dateOfExpiry = "date_of_expiry"
    case issuingAuthority = "issuing_authority"
    case issuingCountry = "issuing_country"
  }
}

/// The time in which a PID is valid. Both ends are midnights in UTC, so that a verifier that compares
/// times with another one learns the day, and nothing that tells people of one day apart.
public struct PIDValidity: Equatable, Sendable {
  private static let day: Int64 = 24 * 60 * 60

  /// Seconds since 1970: the midnight before the PID was issued.
  public let issuedAt: Int64
  /// Seconds since 1970.
  public let expires: Int64

  /// The longest validity of a PID.
  ///
  /// - Parameters:
  ///   - now: seconds since 1970.
  ///   - verdict: when the proofing ended; validity counts from then, not from a repeated issuance.
  ///   - documentEnds: when the document ends.
  /// - Returns: nil if the PID would have expired.
  public init?(now: Int64, verdict: Int64, documentEnds: Int64) {
    let (longest, overflow) = min(verdict, now).addingReportingOverflow(PIDClaims.maximumValidity)
    guard now >= 0, !overflow else { return nil }
    expires = Self.midnight(before: min(longest, documentEnds))
    issuedAt = Self.midnight(before: min(verdict, now))
    guard expires > now else { return nil }
  }

  /// The last day on which the PID is valid, in UTC.
  var lastDay: CalendarDate { CalendarDate(secondsSince1970: expires - 1, utcOffsetHours: 0) }

  private static func midnight(before time: Int64) -> Int64 { time - time % day }
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
