/// Counts starts of the scanner for enrolment codes (UC3.1 row 3), against guessing and against a
/// camera that is pointed at everything. A rescan never resets it; time does.
struct CodeAttempts: Equatable, Sendable {
  /// So many within the window, which is in milliseconds.
  static let limit = 5
  static let window: Int64 = 15 * 60_000

  /// On the core's clock, the oldest first.
  private var starts: [Int64] = []

  func left(at now: Int64) -> Int { max(0, Self.limit - counted(at: now).count) }

  /// Milliseconds until there is an attempt again; 0 where there is one.
  func wait(at now: Int64) -> Int64 {
    let counted = counted(at: now)
    guard counted.count >= Self.limit, let first = counted.first else { return 0 }
    return min(Self.window, max(0, first &+ Self.window &- now))
  }

  mutating func note(at now: Int64) { starts = (counted(at: now) + [now]).suffix(Self.limit) }

  /// The wallet was deleted.
  mutating func reset() { starts = [] }

  private func counted(at now: Int64) -> [Int64] {
    starts.filter { start in
      let age = now.subtractingReportingOverflow(start)
      return !age.overflow && age.partialValue < Self.window
    }
  }
}
