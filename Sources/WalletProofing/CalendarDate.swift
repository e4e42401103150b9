/// A day of the Gregorian calendar, without a place. Prints nothing: it may be somebody's birthday.
public struct CalendarDate: Hashable, Comparable, Sendable, Discreet {
  public let year: Int
  public let month: Int
  public let day: Int

  /// - Returns: Nil where the calendar has no such day in the years 1 to 9999.
  public init?(year: Int, month: Int, day: Int) {
    guard (1...9999).contains(year), (1...12).contains(month),
      day >= 1, day <= Self.days(ofMonth: month, in: year)
    else { return nil }
    self.year = year
    self.month = month
    self.day = day
  }

  /// The day at a moment, in a place whose clocks are `utcOffsetHours` ahead of UTC. Moments before
  /// 1970 or after the year 9000 are taken as those limits: no clock of ours shows them.
  public init(secondsSince1970 moment: Int64, utcOffsetHours: Int) {
    let latest: Int64 = 221_845_392_000
    let offset = Int64(min(max(utcOffsetHours, -12), 14)) * 3600
    var days = Int((min(max(moment, 43_200), latest) + offset) / 86_400)
    var year = 1970
    // Whole cycles of the calendar first, then at most 400 years one by one.
    year += days / 146_097 * 400
    days %= 146_097
    while days >= Self.days(ofYear: year) {
      days -= Self.days(ofYear: year)
      year += 1
    }
    var month = 1
    while days >= Self.days(ofMonth: month, in: year) {
      days -= Self.days(ofMonth: month, in: year)
      month += 1
    }
    self.year = year
    self.month = month
    self.day = days + 1
  }

  /// Birthdays of `self` up to `day`; those of 29 February are on 1 March in other years.
  public func fullYears(until day: CalendarDate) -> Int {
    let isBeforeBirthday = (day.month, day.day) < (month, self.day)
    return day.year - year - (isBeforeBirthday ? 1 : 0)
  }

  public static func < (left: CalendarDate, right: CalendarDate) -> Bool {
    (left.year, left.month, left.day) < (right.year, right.month, right.day)
  }

  private static func isLeap(_ year: Int) -> Bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
  }

  private static func days(ofYear year: Int) -> Int { isLeap(year) ? 366 : 365 }

  private static func days(ofMonth month: Int, in year: Int) -> Int {
    switch month {
    case 2: isLeap(year) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}

/// On the wire as in ISO 8601: "1990-12-31".
extension CalendarDate: Codable {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = Array(try container.decode(String.self).utf8)
    guard text.count == 10, text[4] == 0x2D, text[7] == 0x2D,
      let year = Digits.number(text[0..<4]), let month = Digits.number(text[5..<7]),
      let day = Digits.number(text[8..<10]),
      let date = CalendarDate(year: year, month: month, day: day)
    else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a date")
    }
    self = date
  }

  public func encode(to encoder: any Encoder) throws {
    func padded(_ number: Int, _ width: Int) -> String {
      let digits = String(number)
      return String(repeating: "0", count: max(width - digits.utf8.count, 0)) + digits
    }
    var container = encoder.singleValueContainer()
    try container.encode("\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))")
  }
}
