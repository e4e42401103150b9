internal import WalletProtocol

/// Dates in the forms that cards use.
enum LicenceDates {
  /// The order of year, month and day. With years from 1800 to 2199, no eight digits are a date in
  /// both orders.
  enum Order {
    case yearFirst
    case yearLast
  }

  /// Returns the order that the edition and the country prescribe.
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
    guard let form = Form(value) else { return .unreadable }
    if !form.isRegular { deviations.insert(.dateForm) }
    if form.isZero(in: value) { return .absent }
    let other: Order = order == .yearFirst ? .yearLast : .yearFirst
    if let date = form.date(in: value, order) { return .value(date) }
    guard let date = form.date(in: value, other) else { return .unreadable }
    deviations.insert(.dateOrder)
    return .value(date)
  }

  /// The positions of the digits in "12311999", "12-31-1999", "1999/12/31" or "12311999A". Only
  /// positions, because a copy of the digits would stay in memory.
  private struct Form {
    /// The offsets of pairs of digits from the beginning of the value.
    private let pairs: [Int]
    let isRegular: Bool

    init?(_ value: ArraySlice<UInt8>) {
      let indices = value.indices
      guard value.count >= 8, let start = indices.first else { return nil }
      if value.prefix(8).allSatisfy(Digits.isDigit) {
        let rest = value.dropFirst(8)
        let letters = rest.count { $0 != 0x20 }
        let isLetter = rest.contains { (0x41...0x5A).contains($0 & 0xDF) }
        guard letters == 0 || letters == 1 && isLetter else { return nil }
        pairs = [0, 2, 4, 6]
        isRegular = value.count == 8
        return
      }
      guard value.count == 10 else { return nil }
      for (first, second, pairs) in [(2, 5, [0, 3, 6, 8]), (4, 7, [0, 2, 5, 8])] {
        let separator = value[start + first]
        guard separator == value[start + second],
          separator == UInt8(ascii: "-") || separator == UInt8(ascii: "/"),
          pairs.allSatisfy({ value[start + $0..<start + $0 + 2].allSatisfy(Digits.isDigit) })
        else { continue }
        self.pairs = pairs
        isRegular = false
        return
      }
      return nil
    }

    func isZero(in value: ArraySlice<UInt8>) -> Bool {
      pairs.allSatisfy { number($0, in: value) == 0 }
    }

    func date(in value: ArraySlice<UInt8>, _ order: Order) -> CalendarDate? {
      let numbers = pairs.map { number($0, in: value) ?? 0 }
      let ordered = order == .yearFirst ? numbers : Array(numbers[2...] + numbers[..<2])
      let year = ordered[0] * 100 + ordered[1]
      guard (1800...2199).contains(year) else { return nil }
      return CalendarDate(year: year, month: ordered[2], day: ordered[3])
    }

    private func number(_ pair: Int, in value: ArraySlice<UInt8>) -> Int? {
      Digits.number(value.dropFirst(pair).prefix(2))
    }
  }
}
