/// How the status lists of the PIDs are published.
public struct StatusListSettings: Sendable, Equatable {
  /// The fewest entries of a list. Among fewer, a verifier that asks for a list would tell its host
  /// too much about whose PID it has.
  public static let leastEntries: Int64 = 1 << 17
  /// The most entries of a list, 128 KiB when decompressed.
  public static let mostEntries: Int64 = 1 << 20
  /// How long a list counts after it was made at least, in milliseconds: a day.
  static let validity: Int64 = 24 * 3_600_000
  /// How long a list accepts entries, in milliseconds: as long as a PID is valid at most. Without
  /// this, the list of a provider with few PIDs would never end.
  static let openLife: Int64 = 90 * 24 * 3_600_000
  /// How long after their end entries stay, in milliseconds: until no published list that has them
  /// counts.
  static let grace: Int64 = 3 * 24 * 3_600_000

  /// How often a list is made anew, and for how long verifiers may use it without asking again
  /// (`ttl`), in milliseconds; a minute to a day.
  public var timeToLive: Int64 = 900_000
  /// The number of entries of a new list; `leastEntries` to `mostEntries`.
  public var entries = leastEntries

  public init() {}

  /// - Throws: `SettingsError` for the first value out of range.
  public func validate() throws(SettingsError) {
    guard (60_000...86_400_000).contains(timeToLive), timeToLive % 1000 == 0 else {
      throw SettingsError("a status list must be made anew every 60 to 86400 seconds")
    }
    guard (Self.leastEntries...Self.mostEntries).contains(entries) else {
      throw SettingsError(
        "a status list must have \(Self.leastEntries) to \(Self.mostEntries) entries")
    }
  }
}
