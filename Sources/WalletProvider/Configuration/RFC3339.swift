#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Timestamps in RFC 3339 format, in whole seconds.
enum RFC3339 {
  /// 1970 to the end of 9999, in seconds since 1970.
  static let range: ClosedRange<Int64> = 0...253_402_300_799

  /// Parses a timestamp to seconds since 1970. Returns nil if the date does not exist, or if there
  /// is a fraction or a leap second.
  static func seconds(_ text: String) -> Int64? {
    var rest = Array(text.utf8)[...]
    guard let year = number(4, &rest), skip("-", &rest), let month = number(2, &rest),
      skip("-", &rest), let day = number(2, &rest), skip("T", &rest) || skip("t", &rest),
      let hour = number(2, &rest), skip(":", &rest), let minute = number(2, &rest),
      skip(":", &rest), let second = number(2, &rest), let offset = offset(&rest), rest.isEmpty,
      (1...12).contains(month), (1...days(inMonth: month, of: year)).contains(day),
      hour < 24, minute < 60, second < 60
    else { return nil }
    let days = daysSince1970(year, month, day)
    return ((days * 24 + hour) * 60 + minute) * 60 + second - offset
  }

  /// Formats seconds since 1970, in UTC.
  static func text(_ seconds: Int64) -> String {
    Date(timeIntervalSince1970: TimeInterval(seconds)).formatted(.iso8601)
  }

  private static func number(_ digits: Int, _ rest: inout ArraySlice<UInt8>) -> Int64? {
    let part = rest.prefix(digits)
    guard part.count == digits, part.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    rest = rest.dropFirst(digits)
    return part.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
  }

  private static func skip(_ character: Unicode.Scalar, _ rest: inout ArraySlice<UInt8>) -> Bool {
    guard rest.first == UInt8(ascii: character) else { return false }
    rest = rest.dropFirst()
    return true
  }

  /// Parses the offset of the local time from UTC, in seconds.
  private static func offset(_ rest: inout ArraySlice<UInt8>) -> Int64? {
    if skip("Z", &rest) || skip("z", &rest) { return 0 }
    let isEast = skip("+", &rest)
    guard isEast || skip("-", &rest), let hours = number(2, &rest), skip(":", &rest),
      let minutes = number(2, &rest), hours < 24, minutes < 60
    else { return nil }
    return (isEast ? 60 : -60) * (hours * 60 + minutes)
  }

  private static func isLeap(_ year: Int64) -> Bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
  }

  private static func days(inMonth month: Int64, of year: Int64) -> Int64 {
    switch month {
    case 2: isLeap(year) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  private static func daysSince1970(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
    let before = year - 1
    let leapDays = (before / 4 - before / 100 + before / 400) - (1969 / 4 - 1969 / 100 + 1969 / 400)
    let months = (1..<month).reduce(0) { $0 + days(inMonth: $1, of: year) }
    return (year - 1970) * 365 + leapDays + months + day - 1
  }
}
