internal import WalletProtocol

/// The parts of a name, as issuers spread them over elements.
struct LicenceNames {
  private(set) var family: PersonalText?
  private(set) var given: PersonalText?
  private(set) var middle: PersonalText?
  private(set) var suffix: PersonalText?
  /// False if two elements give names that cannot both be the holder's.
  private(set) var areConsistent = true
  private(set) var deviations: Set<LicenceDeviation> = []

  private static let comma = UInt8(ascii: ",")

  init(_ bytes: [UInt8], _ elements: LicenceElements, version: Int) {
    func value(_ id: LicenceElementID) -> ArraySlice<UInt8>? {
      elements.values[id].map { bytes[$0] }
    }
    let isFirstEdition = version <= 1
    let firstSurname = isFirstEdition ? value(.firstEditionFamilyName) : nil
    let firstSuffix = isFirstEdition ? value(.firstEditionSuffix) : nil
    let surname = value(.familyName) ?? firstSurname
    let full = value(.fullName).flatMap(WholeName.init)
    middle = value(.middleNames).flatMap(Self.middleNames)
    suffix = (value(.suffix) ?? firstSuffix).flatMap(Self.text)
    if let surname {
      family = Self.text(surname)
      if surname.last == Self.comma { deviations.insert(.nameForm) }
    }
    if let first = value(.givenName) {
      readGiven(first, middleNames: value(.middleNames), blankSplits: false)
    } else if let all = value(.givenNames) {
      readGiven(all, middleNames: value(.middleNames), blankSplits: true)
    }
    // Without commas the parts of the whole name are a guess, which cannot contradict other
    // elements.
    let stated = full.flatMap { $0.deviations.contains(.nameOrder) ? nil : $0 }
    let given =
      [
        [value(.givenName), value(.middleNames)], [value(.givenNames)],
        [stated?.given, stated?.middle],
      ]
      .map { $0.compactMap { $0 } }
    areConsistent =
      LicenceAgreement.holds([value(.familyName), firstSurname, stated?.family].map { [$0 ?? []] })
      && LicenceAgreement.holds(value(.givenName) == nil ? Array(given[1...]) : given)
      && LicenceAgreement.holds([value(.suffix), firstSuffix, stated?.suffix].map { [$0 ?? []] })
      && areConsistent
    guard family == nil || self.given == nil else { return }
    if let full {
      take(full)
    } else if let surname, surname.dropLast().contains(Self.comma),
      let full = WholeName(surname)
    {
      // The whole name in the element of the surname.
      deviations.insert(.nameForm)
      take(full)
    }
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
    // A comma belongs only into the element of all given names, a blank nowhere.
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

  private mutating func take(_ full: WholeName) {
    deviations.formUnion(full.deviations)
    family = Self.text(full.family)
    given = Self.text(full.given)
    middle = middle ?? full.middle.flatMap(Self.middleNames)
    suffix = suffix ?? full.suffix.flatMap(Self.text)
  }
}

/// The parts of "LAST,FIRST,MIDDLE,SUFFIX", "LAST, FIRST MIDDLE" or "FIRST MIDDLE LAST".
private struct WholeName {
  let family: ArraySlice<UInt8>
  let given: ArraySlice<UInt8>
  private(set) var middle: ArraySlice<UInt8>?
  private(set) var suffix: ArraySlice<UInt8>?
  private(set) var deviations: Set<LicenceDeviation> = []

  init?(_ value: ArraySlice<UInt8>) {
    let parts = value.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
    guard parts.count >= 2 else {
      let words = value.split(separator: 0x20)
      guard let first = words.first, let last = words.last, words.count >= 2 else { return nil }
      deviations = [.nameForm, .nameOrder]
      given = first
      family = last
      middle = value[first.endIndex..<last.startIndex]
      return
    }
    family = parts[0]
    let first = parts[1].drop { $0 == 0x20 }
    if parts.count == 2, let blank = first.firstIndex(of: 0x20) {
      deviations = [.nameForm]
      given = first[..<blank]
      middle = first[(blank + 1)...]
      return
    }
    given = first
    if parts.count > 2 { middle = parts[2] }
    if parts.count > 3 { suffix = parts[3] }
  }
}
