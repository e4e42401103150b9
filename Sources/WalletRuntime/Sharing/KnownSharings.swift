internal import WalletPlatform

/// The requests of relying parties that hosts with their own screens have begun, in memory only. The
/// flows keep theirs themselves.
final class KnownSharings: Sendable {
  /// The number that are kept. One that has ended is forgotten first, else the oldest one.
  private static let maximumCount = 8

  private struct State: Sendable {
    var sharings: [Sharing] = []
    var era: UInt64 = 0
  }

  private let state = Monitor(State())

  /// Another one after all were forgotten.
  var era: UInt64 { state.withLock { $0.era } }

  /// Keeps a request, unless all were forgotten since it was begun.
  ///
  /// - Returns: Whether it is kept.
  func add(_ sharing: Sharing, begunIn era: UInt64) -> Bool {
    // Asked without the lock, because each request has one of its own.
    let ended = state.withLock { $0.sharings }.first(where: \.hasEnded)
    return state.withLock { state in
      guard state.era == era else { return false }
      state.sharings.append(sharing)
      if state.sharings.count > Self.maximumCount {
        let index = state.sharings.firstIndex { $0 === ended } ?? 0
        state.sharings.remove(at: index)
      }
      return true
    }
  }

  func find(_ id: String) -> Sharing? {
    state.withLock { $0.sharings.first { $0.id.utf8.elementsEqual(id.utf8) } }
  }

  func remove(_ sharing: Sharing) {
    state.withLock { $0.sharings.removeAll { $0 === sharing } }
  }

  /// Drops the keys of authorised uses, because of a lock.
  func forgetUses() { for sharing in state.withLock({ $0.sharings }) { sharing.forgetUse() } }

  /// Forgets all, because the wallet is wiped or another client has taken over.
  func removeAll() {
    // Released after the mutex.
    let forgotten = state.withLock { state in
      defer { state.sharings = [] }
      state.era &+= 1
      return state.sharings
    }
    _ = forgotten
  }
}
