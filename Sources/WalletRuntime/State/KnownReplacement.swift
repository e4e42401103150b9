internal import WalletModel
internal import WalletPlatform

/// What the provider told last of another wallet that waits to take the place of this one. It is
/// kept in memory only: every answer to a PIN tells it again.
final class KnownReplacement: Sendable {
  /// How long an answer counts before a wallet that is unlocked without a PIN asks again.
  private static let age: Milliseconds = 3_600_000

  private struct State {
    var replacement: Replacement?
    /// When the provider told, on the core's clock.
    var toldAt: Milliseconds?
  }

  private let state = Monitor(State())

  var current: Replacement? { state.withLock { $0.replacement } }

  /// - Parameter now: on the core's clock.
  func note(_ replacement: Replacement?, now: Milliseconds) {
    state.withLock { $0 = State(replacement: replacement, toldAt: now) }
  }

  /// Forgets it together with the wallet.
  func forget() { state.withLock { $0 = State() } }

  /// Whether the provider should be asked again.
  func isOld(now: Milliseconds) -> Bool {
    state.withLock { state in
      state.toldAt.map { toldAt in
        let (age, overflow) = now.subtractingReportingOverflow(toldAt)
        return overflow || age >= Self.age
      } ?? true
    }
  }
}
