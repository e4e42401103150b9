internal import WalletCrypto
internal import WalletModel
internal import WalletPlatform

/// The lock and, while unlocked, the vault key. Locking never waits for anything.
final class LockKeeper: Sendable {
  private struct State: Sendable {
    var vaultKey: Secret?
    var version: UInt64 = 1
    /// Counts locks, also those of a wallet that is locked already: an unlock that began before a
    /// lock must not end after it.
    var epoch: UInt64 = 0
  }

  private let state = Monitor(State())
  private let onChange: @Sendable (Versioned<LockState>) -> Void

  init(onChange: @escaping @Sendable (Versioned<LockState>) -> Void) { self.onChange = onChange }

  var current: Versioned<LockState> { state.withLock { Self.lockState($0) } }

  /// What an unlock takes along from its start, to be allowed at its end.
  var epoch: UInt64 { state.withLock { $0.epoch } }

  /// Locks; the vault key's memory is wiped with its last reference, here.
  func lock() {
    let changed = state.withLock { state -> Versioned<LockState>? in
      state.epoch &+= 1
      guard state.vaultKey != nil else { return nil }
      state.vaultKey = nil
      state.version += 1
      return Self.lockState(state)
    }
    if let changed { onChange(changed) }
  }

  /// Unlocks with `vaultKey`, unless the wallet was locked since `epoch`; whether it is unlocked.
  func unlock(with vaultKey: Secret, since epoch: UInt64) -> Bool {
    let (isUnlocked, changed) = state.withLock { state -> (Bool, Versioned<LockState>?) in
      guard state.epoch == epoch else { return (false, nil) }
      let wasLocked = state.vaultKey == nil
      state.vaultKey = vaultKey
      guard wasLocked else { return (true, nil) }
      state.version += 1
      return (true, Self.lockState(state))
    }
    if let changed { onChange(changed) }
    return isUnlocked
  }

  private static func lockState(_ state: State) -> Versioned<LockState> {
    Versioned(state.vaultKey == nil ? .locked : .unlocked, version: state.version)
  }
}
