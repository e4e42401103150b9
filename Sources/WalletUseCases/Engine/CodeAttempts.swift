/// Counts starts of the scanner for enrolment codes (UC3.1 row 3), against guessing and against a
/// camera that is pointed at everything. A rescan never resets it; time does.
struct CodeAttempts: Equatable, Sendable {
  /// So many within the window, which is in milliseconds.
  static let limit = 5
  static let window: Int64 = 15 * 60_000

  /// On the core's clock, the oldest first.
  private var starts: [Int64] = []
  /// When all attempts of a licence were spent, where that is still in the way of another code.
  private var spent: Int64?

  func left(at now: Int64) -> Int {
    isBarred(at: now) ? 0 : max(0, Self.limit - counted(at: now).count)
  }

  /// Milliseconds until there is an attempt again; 0 where there is one.
  func wait(at now: Int64) -> Int64 {
    if let spent, isBarred(at: now) { return rest(of: spent, at: now) }
    let counted = counted(at: now)
    guard counted.count >= Self.limit, let first = counted.first else { return 0 }
    return rest(of: first, at: now)
  }

  /// Whether no code is taken at all: whoever claimed the same one again would have all attempts anew.
  func isBarred(at now: Int64) -> Bool { spent.map { isRecent($0, at: now) } ?? false }

  /// All attempts of a licence are spent.
  mutating func bar(at now: Int64) { spent = now }

  mutating func note(at now: Int64) { starts = (counted(at: now) + [now]).suffix(Self.limit) }

  /// The wallet was deleted.
  mutating func reset() { self = CodeAttempts() }

  private func counted(at now: Int64) -> [Int64] { starts.filter { isRecent($0, at: now) } }

  private func isRecent(_ time: Int64, at now: Int64) -> Bool {
    let age = now.subtractingReportingOverflow(time)
    return !age.overflow && age.partialValue < Self.window
  }

  private func rest(of time: Int64, at now: Int64) -> Int64 {
    min(Self.window, max(0, time &+ Self.window &- now))
  }
}
