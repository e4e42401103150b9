import Synchronization
import WalletAttempts
import WalletProvider
import WalletProviderServer

/// A clock that only the test moves.
final class TestClock: ProviderClock {
  private let time: Mutex<Int64>

  init(_ start: Int64 = 1_700_000_000_000) { time = Mutex(start) }

  var now: Int64 { time.withLock { $0 } }

  func time(_: Int64) -> Int64 { now }

  func advance(_ milliseconds: Int64) { time.withLock { $0 += milliseconds } }

  /// Sets the clock to the machine's time, as another process has it.
  func catchUp() { time.withLock { $0 = SystemWallClock().now } }
}

/// A monotonic clock that only the test moves.
final class TestMonotonicClock: MonotonicClock {
  private let time = Mutex<Int64>(1_000_000)

  var microseconds: Int64 { time.withLock { $0 } }

  func advance(milliseconds: Int64) { time.withLock { $0 += milliseconds * 1000 } }
}

/// Records the outcomes of PIN attempts.
final class CountingObserver: ProviderObserver {
  private let outcomes = Mutex<[AttemptOutcome]>([])
  private let recorded = Mutex<[ProofingNotice]>([])

  var all: [AttemptOutcome] { outcomes.withLock { $0 } }

  /// The notices of identity proofing.
  var notices: [ProofingNotice] { recorded.withLock { $0 } }

  func proofingAnswered(_ notice: ProofingNotice) { recorded.withLock { $0.append(notice) } }

  func attemptAnswered(_ outcome: AttemptOutcome) {
    outcomes.withLock { $0.append(outcome) }
  }
}
