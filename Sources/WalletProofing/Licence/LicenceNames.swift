internal import WalletProtocol

/// The parts of a name, as issuers spread them over elements.
struct LicenceNames {
  private(set) var family: PersonalText?
  private(set) var given: PersonalText?
  private(set) var middle: PersonalText?
  private(set) var suffix: PersonalText?
  /// False if two elements give names that cannot both be the holder's.
  private(set) var areConsistent = true
  /// False where an element is missing that the edition demands, and nothing else has what it says.
  private(set) var areComplete = true
  private(set) var deviations: Set<LicenceDeviation> = []

  private static let comma = UInt8(ascii: ",")

  init(
    _ bytes: [UInt8], _ elements: LicenceElements, version: Int, isLengthConfirmed: Bool
  ) {
    func value(_ id: LicenceElementID) -> ArraySlice<UInt8>? {
      elements.values[id].map { bytes[$0] }
    }
    // Later editions dropped these, but some issuers went on to use them in place of the new ones.
    let isFirstEdition = version <= 3 || !elements.seen.contains(.familyName)
    let firstSurname = isFirstEdition ? value(.firstEditionFamilyName) : nil
    let firstSuffix = isFirstEdition ? value(.firstEditionSuffix) : nil
    let surname = value(.familyName) ?? firstSurname
    middle = value(.middleNames).flatMap(Self.middleNames)
    readSuffix(value(.suffix) ?? firstSuffix)
    if let surname {
      family = Self.text(surname)
      if surname.last == Self.comma { deviations.insert(.nameForm) }
    }
    if let first = value(.givenName) {
      readGiven(first, middleNames: value(.middleNames), blankSplits: false)
    } else if let all = value(.givenNames) {
      readGiven(all, middleNames: value(.middleNames), blankSplits: true)
    }
    let whole = value(.fullName).flatMap { readWhole($0, surname, value(.givenName)) }
    let stated = whole.flatMap { $0.isGuess ? nil : $0 }
    let given =
      [
        [value(.givenName), value(.middleNames)], [value(.givenNames)],
        [stated?.given, stated?.middle],
      ]
      .map { $0.compactMap { $0 } }
    let families = [value(.familyName), firstSurname, stated?.family]
    let suffixes = [value(.suffix), firstSuffix, whole?.suffix]
    areConsistent =
      LicenceAgreement.holds(families.map { [$0 ?? []] })
      && LicenceAgreement.holds(value(.givenName) == nil ? Array(given[1...]) : given)
      && LicenceAgreement.holds([value(.middleNames), whole?.middle].map { [$0 ?? []] })
      && LicenceSuffix.agree(suffixes.map { $0 ?? [] })
      && areConsistent
    if let whole {
      take(whole)
    } else if self.given == nil, let surname, surname.dropLast().contains(Self.comma),
      let whole = LicenceWholeName(surname)
    {
      // The whole name in the element of the surname.
      deviations.insert(.nameForm)
      family = nil
      take(whole)
    }
    areComplete = Self.areComplete(
      elements.seen, version: version, isLengthConfirmed: isLengthConfirmed)
  }

  /// Whether the elements that the edition demands for a name are there, or one with the whole
  /// name. Without them a middle name or a suffix may have been lost with its separator. If the
  /// barcode itself confirms its length, nothing was lost: the issuer left the suffix out.
  private static func areComplete(
    _ seen: Set<LicenceElementID>, version: Int, isLengthConfirmed: Bool
  ) -> Bool {
    switch version {
    case ...1: true
    case 2: isLengthConfirmed || !seen.isDisjoint(with: [.suffix, .fullName])
    case 3: true
    default: !seen.isDisjoint(with: [.middleNames, .givenNames, .fullName])
    }
  }

  /// The whole name, corrected by the other elements; nil if it is a single word or contradicts
  /// them.
  private mutating func readWhole(
    _ value: ArraySlice<UInt8>, _ surname: ArraySlice<UInt8>?, _ first: ArraySlice<UInt8>?
  ) -> LicenceWholeName? {
    guard let whole = LicenceWholeName(value) else { return nil }
    if let agreeing = whole.agreeing(withFamily: surname ?? [], given: first ?? [], in: value) {
      return agreeing
    }
    areConsistent = false
    return nil
  }

  private static func text(_ value: ArraySlice<UInt8>) -> PersonalText? {
    PersonalText(latin1: value, commasAreBlanks: true)
  }

  /// Returns the middle names; nil if the card says that there are none.
  private static func middleNames(_ value: ArraySlice<UInt8>) -> PersonalText? {
    let isNone = ["NMN", "(NMN)", "NMI", "(NMI)"].contains { value.elementsEqual($0.utf8) }
    guard !isNone, value.contains(where: LicenceAgreement.isLetter) else { return nil }
    return text(value)
  }

  /// Reads the first name, and what follows it as middle names if no element has them.
  private mutating func readGiven(
    _ value: ArraySlice<UInt8>, middleNames: ArraySlice<UInt8>?, blankSplits: Bool
  ) {
    var split = value.firstIndex(of: Self.comma)
    if split == nil, blankSplits { split = value.firstIndex(of: 0x20) }
    guard let split else { return given = Self.text(value) }
    // The standard separates names by commas, and only in the element of all given names.
    if !blankSplits || value[split] != Self.comma { deviations.insert(.nameForm) }
    let rest = value[(split + 1)...]
    if let middleNames, middle != nil, !LicenceAgreement.holds([[rest], [middleNames]]) {
      if blankSplits, value[split] == Self.comma { areConsistent = false }
      // More than one first name.
      return given = Self.text(value)
    }
    given = Self.text(value[..<split])
    middle = middle ?? Self.middleNames(rest)
  }

  private mutating func readSuffix(_ value: ArraySlice<UInt8>?) {
    guard let value else { return }
    let text = Self.text(value)
    // A text with characters that no suffix has is damaged, and the rules refuse it. Another word
    // is no suffix and is left out.
    let isPlain = text?.holds(atMost: DocumentText.longestName, DocumentText.isOfSuffix) ?? true
    guard isPlain, !LicenceSuffix.isSuffix(value) else { return suffix = text }
    deviations.insert(.nameForm)
  }

  /// Takes what no element of its own states.
  private mutating func take(_ whole: LicenceWholeName) {
    let isNeeded = family == nil || given == nil
    family = family ?? Self.text(whole.family)
    given = given ?? Self.text(whole.given)
    let taken = (
      middle: middle == nil ? whole.middle.flatMap(Self.middleNames) : nil,
      suffix: suffix == nil ? whole.suffix.flatMap(Self.text) : nil
    )
    middle = middle ?? taken.middle
    suffix = suffix ?? taken.suffix
    if isNeeded {
      deviations.formUnion(whole.deviations)
    } else if taken.middle != nil || taken.suffix != nil {
      // Half of the name stands in elements of its own, and half in the whole name alone.
      deviations.formUnion(whole.deviations.union([.nameForm]))
    }
  }
}
