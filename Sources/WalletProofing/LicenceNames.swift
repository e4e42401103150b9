/// The parts of a name, as issuers spread them over elements.
struct LicenceNames {
  private(set) var family: PersonalText?
  private(set) var given: PersonalText?
  private(set) var middle: PersonalText?
  private(set) var suffix: PersonalText?
  private(set) var deviations: Set<LicenceDeviation> = []

  private static let comma = UInt8(ascii: ",")

  init(_ bytes: [UInt8], _ elements: LicenceElements, version: Int) {
    func value(_ id: LicenceElementID) -> ArraySlice<UInt8>? {
      elements.values[id].map { bytes[$0] }
    }
    let isFirstEdition = version <= 1
    let surname = value(.familyName) ?? (isFirstEdition ? value(.firstEditionFamilyName) : nil)
    middle = value(.middleNames).flatMap(Self.text)
    suffix = (value(.suffix) ?? (isFirstEdition ? value(.firstEditionSuffix) : nil))
      .flatMap(Self.text)
    if let surname {
      family = Self.text(surname)
      if surname.last == Self.comma { deviations.insert(.nameForm) }
    }
    if let first = value(.givenName) {
      readGiven(first, blankSplits: false)
    } else if let all = value(.givenNames) {
      readGiven(all, blankSplits: true)
    }
    guard family == nil || given == nil else { return }
    if let full = value(.fullName) {
      readFull(full)
    } else if let surname, surname.dropLast().contains(Self.comma) {
      // The whole name in the place of the surname.
      deviations.insert(.nameForm)
      readFull(surname)
    }
  }

  private static func text(_ value: ArraySlice<UInt8>) -> PersonalText? {
    PersonalText(latin1: value, commasAreBlanks: true)
  }

  /// The first name, and what follows it as middle names where no element has them.
  private mutating func readGiven(_ value: ArraySlice<UInt8>, blankSplits: Bool) {
    var split = value.firstIndex(of: Self.comma)
    if split == nil, blankSplits { split = value.firstIndex(of: 0x20) }
    guard let split else { return given = Self.text(value) }
    // A comma belongs into the element of all given names and nowhere else, a blank nowhere.
    if !blankSplits || value[split] != Self.comma { deviations.insert(.nameForm) }
    given = Self.text(value[..<split])
    middle = middle ?? Self.text(value[(split + 1)...])
  }

  /// "LAST,FIRST,MIDDLE,SUFFIX", "LAST, FIRST MIDDLE" or "FIRST MIDDLE LAST".
  private mutating func readFull(_ value: ArraySlice<UInt8>) {
    let parts = value.split(separator: Self.comma, omittingEmptySubsequences: false)
    guard parts.count >= 2 else { return readWords(value) }
    family = Self.text(parts[0])
    let first = parts[1].drop { $0 == 0x20 }
    if parts.count == 2, let blank = first.firstIndex(of: 0x20) {
      deviations.insert(.nameForm)
      given = Self.text(first[..<blank])
      middle = middle ?? Self.text(first[(blank + 1)...])
      return
    }
    given = Self.text(first)
    if parts.count > 2 { middle = middle ?? Self.text(parts[2]) }
    if parts.count > 3 { suffix = suffix ?? Self.text(parts[3]) }
  }

  private mutating func readWords(_ value: ArraySlice<UInt8>) {
    let words = value.split(separator: 0x20)
    guard let first = words.first, let last = words.last, words.count >= 2 else { return }
    deviations.formUnion([.nameForm, .nameOrder])
    given = Self.text(first)
    family = Self.text(last)
    middle = middle ?? Self.text(value[first.endIndex..<last.startIndex])
  }
}
