/// Counts starts of the scanner for enrolment codes (UC3.1 row 3), to stop guesses and a camera
/// that reads every code in sight. Only time resets the count; a rescan does not.
struct CodeAttempts: Equatable, Sendable {
  /// The allowed starts within the window, which is in milliseconds.
  static let limit = 5
  static let window: Int64 = 15 * 60_000

  /// Times on the core's clock, the oldest first.
  private var starts: [Int64] = []
  /// When all attempts of a licence were spent; nil if they never were.
  private var spent: Int64?

  func left(at now: Int64) -> Int {
    isBarred(at: now) ? 0 : max(0, Self.limit - counted(at: now).count)
  }

  /// Returns the milliseconds until the next attempt is allowed; 0 if one is left now.
  func wait(at now: Int64) -> Int64 {
    if let spent, isBarred(at: now) { return rest(of: spent, at: now) }
    let counted = counted(at: now)
    guard counted.count >= Self.limit, let first = counted.first else { return 0 }
    return rest(of: first, at: now)
  }

  /// Whether no code is accepted at all. Otherwise a user could claim the same code again and get
  /// all licence attempts anew.
  func isBarred(at now: Int64) -> Bool { spent.map { isRecent($0, at: now) } ?? false }

  /// Refuses all codes for one window, since all attempts of a licence are spent.
  mutating func bar(at now: Int64) { spent = now }

  mutating func note(at now: Int64) { starts = (counted(at: now) + [now]).suffix(Self.limit) }

  /// Takes the last start back: the scanner read a code of another kind.
  mutating func takeLastBack() { _ = starts.popLast() }

  /// Forgets all attempts, after the wallet was deleted.
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
