import WalletCredentials
package import WalletProtocol

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The person's data for a PID: all that is stored between the verdict and the end of the session.
package struct PIDSubject: Codable, RedactedDescription {
  /// As the account spells it, like the given names.
  var familyName: String
  /// The given names that document and account share, separated by blanks.
  var givenName: String
  var birthDate: CalendarDate
  /// The UTC offset of the document's issuer, in hours.
  var utcOffsetHours: Int
  /// Seconds since 1970: the end of the document's last day in the issuer's time zone.
  package var documentEnds: Int64
  var evidence: PIDVerification.Evidence
  /// Whether the provider ran as a demonstration at the verdict. Nil in records from before this
  /// setting existed, when no source was required.
  var isDemonstration: Bool?

  /// Nil if the claims do not match the person, whatever vetting decided, or if the issuer is
  /// unknown.
  package init?(
    _ claims: LicenceClaims, of person: AccountPerson, isDemonstration: Bool
  ) {
    guard person.birthDate == claims.birthDate, let names = MatchedNames(claims, of: person),
      let issuer = LicenceIssuer(of: claims),
      let documentEnds = Self.end(of: claims.expiryDate, utcOffsetHours: issuer.utcOffsetHours)
    else { return nil }
    familyName = names.familyName
    givenName = names.givenName
    birthDate = claims.birthDate
    utcOffsetHours = issuer.utcOffsetHours
    self.documentEnds = documentEnds
    evidence = claims.documentKind == .identityCard ? .identityCard : .drivingPermit
    self.isDemonstration = isDemonstration
  }

  private static func end(of day: CalendarDate, utcOffsetHours: Int) -> Int64? {
    guard let zone = TimeZone(secondsFromGMT: utcOffsetHours * 3600) else { return nil }
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = zone
    let components = DateComponents(year: day.year, month: day.month, day: day.day)
    return calendar.date(from: components)
      .flatMap { calendar.date(byAdding: .day, value: 1, to: $0) }
      .map { Int64($0.timeIntervalSince1970) }
  }
}
