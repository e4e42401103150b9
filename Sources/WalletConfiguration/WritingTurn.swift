internal import WalletPlatform

/// The turn to read and write a file, which one thread has at a time. Whoever waits for it holds no
/// lock.
///
/// Two threads that replace a file at once would use one temporary file, and the older content could
/// come last.
final class WritingTurn: Sendable {
  private let isTaken = Monitor(false)

  func whileTaken<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    _ = isTaken.wait(clock: SystemBootClock()) { isTaken -> Bool? in
      guard !isTaken else { return nil }
      isTaken = true
      return true
    }
    defer { isTaken.update { $0 = false } }
    return try body()
  }
}
