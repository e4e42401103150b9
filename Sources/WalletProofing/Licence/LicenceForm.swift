/// Compares values with the limits that any edition's element tables set. A value outside these
/// limits is only a hint for the provider, because real cards have values of every form.
enum LicenceForm {
  /// The maximum lengths.
  private static let lengths: [LicenceElementID: Int] = [
    .familyName: 40, .givenName: 40, .middleNames: 40, .givenNames: 80, .suffix: 5, .number: 25,
    .fullName: 125, .addressState: 2, .country: 3, "DAK": 11,
  ]

  /// The allowed letters or digits of elements whose content is one of them.
  private static let choices: [LicenceElementID: String] = [
    "DBC": "129MFX", "DDA": "FNM", "DDD": "01", "DDE": "TNU", "DDF": "TNU", "DDG": "TNU",
  ]

  private static let names: [LicenceElementID] = [
    .familyName, .givenName, .middleNames, .givenNames, .fullName,
  ]

  static func isUnusual(_ value: (LicenceElementID) -> ArraySlice<UInt8>) -> Bool {
    lengths.contains { value($0.key).count > $0.value }
      || choices.contains { id, letters in
        let value = value(id)
        return !value.isEmpty
          && !(value.count == 1 && letters.utf8.contains(value[value.startIndex]))
      }
      || names.contains { value($0).contains(where: Digits.isDigit) }
      || value(.number).contains { !isOfNumber($0) }
  }

  /// Whether a character is a letter, a digit or a separator that issuers put into numbers.
  private static func isOfNumber(_ character: UInt8) -> Bool {
    Digits.isDigit(character) || (0x41...0x5A).contains(character & 0xDF)
      || " -*/.".utf8.contains(character)
  }
}
