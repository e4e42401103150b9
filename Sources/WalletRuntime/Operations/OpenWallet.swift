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

  /// Keeps the key of `store`. Throws if that is not the open store any more.
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
    // The key is freed with this function, after the lock was released.
    let former = state.withLock { state in
      defer { state = State() }
      return state
    }
    guard let store = former.store else { return }
    onChange(false)
    store.close()
  }
}
