internal import WalletModel
internal import WalletPlatform

/// What the provider last told of another wallet that waits to take the place of this one, and whether
/// it should be asked again, also of wrong PINs. It is kept in memory only, because the provider tells
/// it again with every answer to a PIN.
final class KnownReplacement: Sendable {
  /// When the last answer is older than this, an unlock without a PIN makes the wallet ask again.
  private static let age: Milliseconds = 3_600_000

  private struct State {
    var replacement: Replacement?
    /// When the provider last told whether there is such a wallet, on the core's clock; nil if it
    /// should be asked again.
    var toldAt: Milliseconds?
    /// Whether there are wrong PINs that the owner may not have been told of. Then the provider is
    /// asked however new its last answer is.
    var hasUntold = false
  }

  private let state = Monitor(State())

  var current: Replacement? { state.withLock { $0.replacement } }

  /// - Parameter now: on the core's clock.
  func note(_ replacement: Replacement?, now: Milliseconds) {
    state.withLock { ($0.replacement, $0.toldAt) = (replacement, now) }
  }

  /// Makes the wallet ask after the next unlock without a PIN, however new the last answer is. Called
  /// when there may be wrong PINs that the owner has not been told of.
  func askAgain() { state.withLock { $0.hasUntold = true } }

  /// Notes what an answer says of wrong PINs. Whoever is to tell the owner may fail to.
  func note(untold failures: PinFailures?) {
    state.withLock { $0.hasUntold = failures != nil }
  }

  /// Forgets what the provider told. Called when the wallet is deleted.
  func forget() { state.withLock { $0 = State() } }

  /// Whether the provider should be asked again.
  func isOld(now: Milliseconds) -> Bool {
    state.withLock { state in
      guard !state.hasUntold else { return true }
      return state.toldAt.map { toldAt in
        let (age, overflow) = now.subtractingReportingOverflow(toldAt)
        return overflow || age >= Self.age
      } ?? true
    }
  }
}
