/// The wrong PINs of the last 30 days, counted by days of the calendar (UTC), so that the row of a
/// wallet stays small.
///
/// 30 days touch at most 31 days of the calendar. The count of those is never less than that of any
/// 30 days that end today, so a limit for it is never exceeded; a wrong PIN counts for up to a day
/// longer.
public struct RecentFailures: Sendable, Equatable {
  /// The days of the calendar that 30 days can touch.
  private static let span: Int64 = 31
  private static let day: Int64 = 24 * 3_600_000

  /// The number of wrong PINs by the number of the day since 1970.
  private var days: [Int64: Int] = [:]

  public init() {}

  /// Reads the form that `text` has; nil for any other.
  public init?(_ text: String) {
    for entry in text.split(separator: " ", omittingEmptySubsequences: false) {
      let parts = entry.split(separator: ":", omittingEmptySubsequences: false)
      guard parts.count == 2, days.count < Self.span, let day = Int32(parts[0]).map({ Int64($0) }),
        let number = Int32(parts[1]).map({ Int($0) }), number > 0, days[day] == nil
      else { return nil }
      days[day] = number
    }
  }

  /// "DAY:NUMBER DAY:NUMBER"; nil without a wrong PIN.
  public var text: String? {
    guard !days.isEmpty else { return nil }
    return days.sorted { $0.key < $1.key }.map { "\($0.key):\($0.value)" }.joined(separator: " ")
  }

  /// The number of wrong PINs that count at this time, in milliseconds since 1970.
  public func count(now: Int64) -> Int {
    let first = now / Self.day - Self.span
    return days.reduce(0) { $1.key > first ? $0 + $1.value : $0 }
  }

  /// Counts a wrong PIN and forgets those that are too old. Days in the future, left by a clock that
  /// was set back, count as today, so that they expire.
  public mutating func add(now: Int64) {
    let today = now / Self.day
    var kept = [today: 1]
    for (day, number) in days where day > today - Self.span {
      kept[min(day, today), default: 0] += number
    }
    days = kept.mapValues { min($0, Int(Int32.max)) }
  }
}

extension RecentFailures: Codable {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard text.isEmpty || RecentFailures(text) != nil else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "no days")
    }
    self = RecentFailures(text) ?? RecentFailures()
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text ?? "")
  }
}
