/// A calendar day without a time zone: `YYYY-MM-DD` (RFC 3339 full-date). Its description shows
/// nothing, because it may be a birthday.
public struct CalendarDate: Codable, Hashable, Comparable, Sendable, RedactedDescription {
  public let year: Int
  public let month: Int
  public let day: Int

  /// Creates a day; nil unless it exists in the Gregorian calendar, in the years 1 to 9999.
  public init?(year: Int, month: Int, day: Int) {
    guard (1...9999).contains(year), (1...12).contains(month), day >= 1 else { return nil }
    guard day <= Self.days(ofMonth: month, in: year) else { return nil }
    self.year = year
    self.month = month
    self.day = day
  }

  /// Reads the one spelling of a day; nil for anything else.
  public init?(_ text: String) {
    let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    guard parts.map(\.count) == [4, 2, 2],
      parts.allSatisfy({ $0.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains) })
    else { return nil }
    let numbers = parts.map { $0.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) } }
    self.init(year: numbers[0], month: numbers[1], day: numbers[2])
  }

  /// Creates the day at a moment, where clocks are `utcOffsetHours` ahead of UTC. Moments before
  /// noon of 1970-01-01 or after the beginning of the year 9000, in UTC, are replaced by these
  /// limits, since no clock in use shows them.
  public init(secondsSince1970 moment: Int64, utcOffsetHours: Int) {
    let latest: Int64 = 221_845_392_000
    let offset = Int64(min(max(utcOffsetHours, -12), 14)) * 3600
    var days = Int((min(max(moment, 43_200), latest) + offset) / 86_400)
    var year = 1970
    // Counts whole cycles of 400 years first, then the remaining years one by one.
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

  /// The form in messages.
  public var text: String {
    func padded(_ number: Int, _ width: Int) -> String {
      let digits = String(number)
      return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
    return padded(year, 4) + "-" + padded(month, 2) + "-" + padded(day, 2)
  }

  /// Returns the age on `date` of a person born on this day; negative before the birth. A person
  /// born on February 29 has the birthday on March 1 in other years, so that nobody is taken as
  /// older than they are.
  public func age(on date: CalendarDate) -> Int {
    let hadBirthday = (date.month, date.day) >= (month, day)
    return date.year - year - (hadBirthday ? 0 : 1)
  }

  public static func < (first: CalendarDate, second: CalendarDate) -> Bool {
    (first.year, first.month, first.day) < (second.year, second.month, second.day)
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let date = CalendarDate(try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a date")
    }
    self = date
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }

  private static func isLeap(_ year: Int) -> Bool {
    (year % 4 == 0 && year % 100 != 0) || year % 400 == 0
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
