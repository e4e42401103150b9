internal import WalletProtocol

/// A time of another party (NumericDate, RFC 7519 section 2), which may have a fraction. The wallet
/// counts whole seconds.
enum NumericDate {
  /// The times that are accepted, until the end of the year 9999. Later times are mistakes, and
  /// sums of accepted times cannot overflow.
  static let accepted: ClosedRange<Int64> = 0...253_402_300_799

  /// Where a fraction goes: up for the beginning of a time and down for its end, so that nothing is
  /// valid for longer than was stated.
  enum Rounding { case up, down }

  /// Returns seconds since 1970; nil for what is no time. An exponent, which no known writer uses
  /// for times, is refused.
  static func seconds(_ value: JSONValue, _ rounding: Rounding) -> Int64? {
    let seconds: Int64
    switch value {
    case .integer(let whole): seconds = whole
    case .number(let text):
      let parts = text.split(separator: ".")
      guard parts.count == 2, !text.hasPrefix("-"), let whole = Int64(parts[0]),
        parts[1].utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
      else { return nil }
      let isWhole = parts[1].utf8.allSatisfy { $0 == UInt8(ascii: "0") }
      guard accepted.contains(whole) else { return nil }
      seconds = isWhole || rounding == .down ? whole : whole + 1
    default: return nil
    }
    return accepted.contains(seconds) ? seconds : nil
  }
}
