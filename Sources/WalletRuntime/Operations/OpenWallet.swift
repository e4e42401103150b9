internal import WalletCrypto
internal import WalletModel
internal import WalletPlatform
internal import WalletStorage

/// The open store and its account key, which the sessions of both threads share. Changed only by
/// the thread that has the turn, and closed only by a job that runs alone.
final class OpenWallet: Sendable {
  private struct State: Sendable {
    var store: SealedStore?
    var accountKey: Secret?
  }

  private let state = Monitor(State())
  private let onChange: @Sendable (Bool) -> Void

  /// - Parameter onChange: Called with whether the store is open, after it was opened or closed.
  init(onChange: @escaping @Sendable (_ isOpen: Bool) -> Void) { self.onChange = onChange }

  var store: SealedStore? { state.withLock { $0.store } }

  var accountKey: Secret? { state.withLock { $0.accountKey } }

  func open(_ store: SealedStore) {
    state.withLock { $0.store = store }
    onChange(true)
  }

  /// Keeps `accountKey`, the key of `store`. Throws if `store` is no longer the open one.
  func keep(_ accountKey: Secret, of store: SealedStore) throws(WalletError) {
    let isOpen = state.withLock { state in
      guard state.store === store else { return false }
      state.accountKey = accountKey
      return true
    }
    guard isOpen else {
      throw WalletError(.storageUnavailable, "The wallet's database was closed meanwhile.")
    }
  }

  /// Closes the store and forgets the account key.
  func close() {
    // `former` holds the key until this function ends, so that the key is not freed inside
    // `withLock`.
    let former = state.withLock { state in
      defer { state = State() }
      return state
    }
    guard let store = former.store else { return }
    onChange(false)
    store.close()
  }
}
