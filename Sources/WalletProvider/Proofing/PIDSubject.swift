package import WalletProtocol

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What a PID says of a person: all that is kept between the verdict and the end of the session.
package struct PIDSubject: Codable, RedactedDescription {
  var familyName: String
  /// The given names that the account has too, separated by blanks.
  var givenName: String
  var birthDate: CalendarDate
  /// Hours ahead of UTC where the document's issuer is.
  var utcOffsetHours: Int
  /// Seconds since 1970: when the last day of the document is over where its issuer is.
  package var documentEnds: Int64
  var evidence: PIDVerification.Evidence

  /// Nil where the claims are not those of the person, whatever vetting said, or of no known issuer.
  package init?(_ claims: LicenceClaims, of person: AccountPerson) {
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
