internal import WalletProtocol

/// Dates as cards write them.
enum LicenceDates {
  /// The order of the parts. With years from 1800 to 2199 no eight digits can be read in both.
  enum Order {
    case yearFirst
    case yearLast
  }

  /// What the edition and the country prescribe.
  static func order(version: Int, country: LicenceCountry?) -> Order {
    switch version {
    case ...1: .yearFirst
    case 2: .yearLast
    default: country == .canada ? .yearFirst : .yearLast
    }
  }

  static func read(
    _ value: ArraySlice<UInt8>, expecting order: Order, _ deviations: inout Set<LicenceDeviation>
  ) -> Stated<CalendarDate> {
    guard !value.isEmpty else { return .absent }
    guard let (digits, isRegular) = digits(of: value) else { return .unreadable }
    if !isRegular { deviations.insert(.dateForm) }
    if digits.allSatisfy({ $0 == 0x30 }) { return .absent }
    let other: Order = order == .yearFirst ? .yearLast : .yearFirst
    if let date = date(digits, order) { return .value(date) }
    guard let date = date(digits, other) else { return .unreadable }
    deviations.insert(.dateOrder)
    return .value(date)
  }

  /// The eight digits of "12311999", "12-31-1999", "1999/12/31", "12311999A".
  private static func digits(
    of value: ArraySlice<UInt8>
  ) -> (digits: ArraySlice<UInt8>, isRegular: Bool)? {
    let value = Array(value)
    guard value.count >= 8 else { return nil }
    if value.prefix(8).allSatisfy(Digits.isDigit) {
      let rest = value.dropFirst(8).filter { $0 != 0x20 }
      let isLetter = rest.count == 1 && (0x41...0x5A).contains((rest.first ?? 0) & 0xDF)
      guard rest.isEmpty || isLetter else { return nil }
      return (value.prefix(8), value.count == 8)
    }
    guard value.count == 10 else { return nil }
    for places in [(2, 5), (4, 7)] where value[places.0] == value[places.1] {
      guard value[places.0] == UInt8(ascii: "-") || value[places.0] == UInt8(ascii: "/") else {
        continue
      }
      let parts = value.enumerated().filter { $0.offset != places.0 && $0.offset != places.1 }
      let digits = parts.map(\.element)
      return digits.allSatisfy(Digits.isDigit) ? (digits[...], false) : nil
    }
    return nil
  }

  private static func date(_ digits: ArraySlice<UInt8>, _ order: Order) -> CalendarDate? {
    let year = order == .yearFirst ? digits.prefix(4) : digits.suffix(4)
    let rest = order == .yearFirst ? digits.suffix(4) : digits.prefix(4)
    guard let year = Digits.number(year), (1800...2199).contains(year),
      let month = Digits.number(rest.prefix(2)), let day = Digits.number(rest.suffix(2))
    else { return nil }
    return CalendarDate(year: year, month: month, day: day)
  }
}
