import WalletProtocol

/// The default vetting: checks the rules again, then compares with the account, then asks the issuing
/// source, and finally looks for an earlier use of the document.
///
/// A document that was used for another account is refused with the same words and after the same
/// time as one that the source does not confirm: an attacker must not learn which documents are
/// known here.
public struct AccountVetting: IdentityVetting {
  private let settings: ProofingSettings
  private let source: any AuthoritativeSource

  public init(settings: ProofingSettings, source: any AuthoritativeSource = NoSource()) {
    self.settings = settings
    self.source = source
  }

  public func vet(_ vettingCase: VettingCase, now: Int64) async -> VettingVerdict {
    switch assess(vettingCase, now: now) {
    case .refused(let verdict): return verdict
    case .acceptable(let query):
      let verdict = verdict(await source.match(query))
      guard case .proofed = verdict, vettingCase.documentUsedElsewhere else { return verdict }
      return .resubmit(.notMatched)
    }
  }

  /// Evidence comes from a client, so only an authoritative source proves a person. Where there is
  /// none, another scan would not help.
  private func verdict(_ answer: SourceAnswer) -> VettingVerdict {
    switch answer {
    case .notCovered:
      settings.demonstration ? .proofed(sourceMatched: false) : .declined
    case .unavailable: .sourceUnavailable
    case .answered(let indicators):
      indicators.allMatch ? .proofed(sourceMatched: true) : .resubmit(.notMatched)
    }
  }

  /// The result of the rules for a case, before the issuing source is asked.
  package enum Assessment {
    case refused(VettingVerdict)
    case acceptable(AttributeQuery)
  }

  package func assess(_ vettingCase: VettingCase, now: Int64) -> Assessment {
    let claims = vettingCase.claims
    guard let issuer = acceptedIssuer(claims), isCurrent(claims, issuer, now: now),
      isWhole(claims)
    else { return .refused(.resubmit(.document)) }
    guard vettingCase.person.birthDate == claims.birthDate,
      let names = MatchedNames(claims, of: vettingCase.person)
    else { return .refused(.resubmit(.notMatched)) }
    return .acceptable(AttributeQuery(claims, names: names, issuer: issuer))
  }

  private func acceptedIssuer(_ claims: LicenceClaims) -> LicenceIssuer? {
    guard let issuer = LicenceIssuer(of: claims), settings.countries.contains(issuer.country),
      settings.kinds.contains(claims.documentKind)
    else { return nil }
    return issuer
  }

  /// Whether the document has not expired, by the issuer's last time zone, and the age is accepted.
  private func isCurrent(_ claims: LicenceClaims, _ issuer: LicenceIssuer, now: Int64) -> Bool {
    let seconds = now / 1000
    let today = CalendarDate(secondsSince1970: seconds, utcOffsetHours: issuer.utcOffsetHours)
    let age = claims.birthDate.age(on: today)
    return claims.expiryDate >= today && claims.birthDate < claims.expiryDate
      && age >= settings.minimumAge && age <= settings.maximumAge
  }

  private func isWhole(_ claims: LicenceClaims) -> Bool {
    let names = [claims.familyName, claims.givenName]
    let others = [claims.middleNames, claims.nameSuffix].compactMap { $0 }
    return names.allSatisfy { !PersonName($0).joined.isEmpty }
      && (names + [claims.middleNames].compactMap { $0 }).allSatisfy(PersonName.isName)
      && (names + others).allSatisfy { $0.count <= DocumentText.longestName && Self.isText($0) }
      && claims.documentNumber.count <= DocumentText.longestNumber
      && DocumentNumber(claims.documentNumber) != nil
  }

  private static func isText(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
  }
}
