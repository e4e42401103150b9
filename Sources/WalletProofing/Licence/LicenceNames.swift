internal import WalletProtocol

/// The parts of the holder's name, collected from the elements over which issuers spread them.
struct LicenceNames {
  private(set) var family: PersonalText?
  private(set) var given: PersonalText?
  private(set) var middle: PersonalText?
  private(set) var suffix: PersonalText?
  /// False if two elements give names that cannot both be the holder's.
  private(set) var areConsistent = true
  /// False if an element for the name is missing that the edition demands, and no other element has
  /// its content.
  private(set) var areComplete = true
  private(set) var deviations: Set<LicenceDeviation> = []

  private static let comma = UInt8(ascii: ",")

  init(
    _ bytes: [UInt8], _ elements: LicenceElements, version: Int, isLengthConfirmed: Bool
  ) {
    func value(_ id: LicenceElementID) -> ArraySlice<UInt8>? {
      elements.values[id].map { bytes[$0] }
    }
    // Later editions dropped the first edition's elements for names, but some issuers still use
    // them in place of the new ones.
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
      // The element of the surname contains the whole name.
      deviations.insert(.nameForm)
      family = nil
      take(whole)
    }
    areComplete = Self.areComplete(
      elements.seen, version: version, isLengthConfirmed: isLengthConfirmed)
  }

  /// Whether the barcode has the elements that the edition demands for a name, or one with the
  /// whole name. If not, a middle name or a suffix may have been lost together with its separator.
  /// But if the barcode has its declared length, nothing was lost: the issuer left the suffix out.
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

  /// Reads the whole name, and divides it into parts as the other elements demand. Nil if it is
  /// only one word, or if it contradicts the other elements.
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

  /// Reads the first name. What follows the first name is read as middle names, if no other element
  /// has them.
  private mutating func readGiven(
    _ value: ArraySlice<UInt8>, middleNames: ArraySlice<UInt8>?, blankSplits: Bool
  ) {
    var split = value.firstIndex(of: Self.comma)
    if split == nil, blankSplits { split = value.firstIndex(of: 0x20) }
    guard let split else { return given = Self.text(value) }
    // By the standard, names may be separated by a comma only in the element of all given names,
    // and nowhere by a blank.
    if !blankSplits || value[split] != Self.comma { deviations.insert(.nameForm) }
    let rest = value[(split + 1)...]
    if let middleNames, middle != nil, !LicenceAgreement.holds([[rest], [middleNames]]) {
      if blankSplits, value[split] == Self.comma { areConsistent = false }
      // The rest is not the middle names, so the holder has more than one first name.
      return given = Self.text(value)
    }
    given = Self.text(value[..<split])
    middle = middle ?? Self.middleNames(rest)
  }

  private mutating func readSuffix(_ value: ArraySlice<UInt8>?) {
    guard let value else { return }
    let text = Self.text(value)
    // A text with characters that no suffix has is kept, because the rules refuse it as damaged. A
    // plain text that is not a suffix is dropped.
    let isPlain = text?.holds(atMost: DocumentText.longestName, DocumentText.isOfSuffix) ?? true
    guard isPlain, !LicenceSuffix.isSuffix(value) else { return suffix = text }
    deviations.insert(.nameForm)
  }

  /// Takes from the whole name each part that has no element of its own.
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
      // Some parts of the name have elements of their own, and others are only in the whole name.
      deviations.formUnion(whole.deviations.union([.nameForm]))
    }
  }
}
