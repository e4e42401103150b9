internal import WalletModel
internal import WalletProtocol

/// The rules, applied to one document at one time.
public struct LicenceRules: Sendable {
  private let document: LicenceDocument
  private let policy: ProofingPolicy
  private let now: Int64
  private let issuer: LicenceIssuer?

  /// The newest version whose layout is known.
  private static let newestVersion = 11
  /// The lowest age at which permits are issued, in years.
  private static let youngestHolder = 14
  /// The longest term in years; licences are known to last until the age of 65.
  private static let longestTerm = 60

  private enum Finding {
    case passed
    case warned(Set<LicenceWarning>)
    case refused(ProofingError)
  }

  /// Applies the rules in their order.
  ///
  /// - Parameter now: Seconds since 1970 by the provider's clock.
  /// - Returns: The warnings for the provider, if no rule refuses the document.
  public static func check(
    _ document: LicenceDocument, now: Int64, policy: ProofingPolicy
  ) throws(LicenceRefusal) -> Set<LicenceWarning> {
    let rules = LicenceRules(
      document: document, policy: policy, now: now,
      issuer: LicenceIssuer.with(number: document.issuerNumber))
    var warnings: Set<LicenceWarning> = []
    for rule in LicenceRule.allCases {
      switch rules.finding(of: rule) {
      case .passed: break
      case .warned(let more): warnings.formUnion(more)
      case .refused(let error): throw LicenceRefusal(rule, error)
      }
    }
    return warnings
  }

  private func finding(of rule: LicenceRule) -> Finding {
    switch rule {
    // The reader has already refused documents that fail these.
    case .header, .encoding: .passed
    case .issuer: checkIssuer()
    case .kind: checkKind()
    case .version: warn(.versionUnknown, if: document.version > Self.newestVersion)
    case .addressState: checkAddressState()
    case .country: checkCountry()
    case .needed: checkNeeded()
    case .dates: checkDates()
    case .birth: checkBirth()
    case .issue: checkIssue()
    case .term: checkTerm()
    case .expiry: checkExpiry()
    case .truncation: checkTruncation()
    case .restrictions: checkRestrictions()
    case .form: warn(.unusualValues, if: document.deviations.contains(.unusualValues))
    case .tamperSigns: .warned(LicenceTamperSigns.warnings(document))
    }
  }

  private func warn(_ warning: LicenceWarning, if condition: Bool) -> Finding {
    condition ? .warned([warning]) : .passed
  }

  // MARK: Issuer and kind

  private func checkIssuer() -> Finding {
    guard let issuer, policy.countries.contains(issuer.country) else {
      return .refused(.documentIssuerNotAccepted)
    }
    return .passed
  }

  private func checkKind() -> Finding {
    // An unknown kind is refused by the rule for required elements.
    guard let kind = document.kind, !policy.kinds.contains(kind) else { return .passed }
    return .refused(.documentTypeNotAccepted)
  }

  private func checkAddressState() -> Finding {
    guard let state = document.addressState, let abbreviation = issuer?.abbreviation else {
      return .passed
    }
    return warn(.addressElsewhere, if: state != PersonalText(abbreviation))
  }

  private func checkCountry() -> Finding {
    switch document.country {
    // The first edition has no country.
    case .absent: warn(.countryAbsent, if: document.version > 1)
    case .value(let country) where country == issuer?.country: .passed
    case .value, .unreadable: .refused(.documentInconsistent)
    }
  }

  // MARK: Required elements and dates

  private func checkNeeded() -> Finding {
    guard document.areElementsSeparate, document.areTextsPlain, document.kind != nil,
      document.familyName != nil, document.givenName != nil, document.number != nil,
      document.birthDate != .absent,
      document.expiryDate != .absent
    else { return .refused(.documentDamaged) }
    return .passed
  }

  private func checkDates() -> Finding {
    let dates = [document.birthDate, document.issueDate, document.expiryDate]
    return dates.contains(.unreadable) ? .refused(.documentDamaged) : .passed
  }

  /// Today's date in the issuer's last time zone, so that a card is valid until its last day has
  /// ended everywhere in the issuer's area.
  private var today: CalendarDate {
    CalendarDate(secondsSince1970: now, utcOffsetHours: issuer?.utcOffsetHours ?? 0)
  }

  /// Today's date in the time zone where a day begins first. A later date is in the future
  /// everywhere.
  private var todayAnywhere: CalendarDate {
    CalendarDate(secondsSince1970: now, utcOffsetHours: 14)
  }

  private func checkBirth() -> Finding {
    guard case .value(let birth) = document.birthDate else { return .refused(.documentDamaged) }
    guard birth <= todayAnywhere, birth.age(on: today) <= policy.maximumAge else {
      return .refused(.documentInconsistent)
    }
    guard birth.age(on: today) >= policy.minimumAge else {
      return .refused(.documentUnderAge)
    }
    return .passed
  }

  private func checkIssue() -> Finding {
    guard case .value(let birth) = document.birthDate,
      case .value(let issue) = document.issueDate
    else { return .warned([.issueDateAbsent]) }
    guard issue <= todayAnywhere, issue > birth else { return .refused(.documentInconsistent) }
    return warn(.issuedToChild, if: birth.age(on: issue) < Self.youngestHolder)
  }

  private func checkTerm() -> Finding {
    guard case .value(let issue) = document.issueDate,
      case .value(let expiry) = document.expiryDate
    else { return .passed }
    guard expiry > issue else { return .refused(.documentInconsistent) }
    return warn(.termLong, if: issue.age(on: expiry) > Self.longestTerm)
  }

  private func checkExpiry() -> Finding {
    guard case .value(let expiry) = document.expiryDate else { return .refused(.documentDamaged) }
    return expiry < today ? .refused(.documentExpired) : .passed
  }

  // MARK: Warnings

  private func checkTruncation() -> Finding {
    let names: [(NameTruncation?, LicenceWarning)] = [
      (document.familyNameTruncation, .familyNameTruncated),
      (document.givenNameTruncation, .givenNameTruncated),
      (document.middleNamesTruncation, .middleNamesTruncated),
    ]
    var warnings = Set(names.filter { $0.0 == .truncated }.map(\.1))
    if names.contains(where: { $0.0 == .unknown }) { warnings.insert(.truncationUnknown) }
    return .warned(warnings)
  }

  private func checkRestrictions() -> Finding {
    var warnings: Set<LicenceWarning> = []
    if document.isLimitedTerm { warnings.insert(.limitedTerm) }
    if document.isNonCompliant { warnings.insert(.notRealID) }
    return .warned(warnings)
  }
}
