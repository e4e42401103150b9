internal import WalletPlatform

/// The requests of relying parties that hosts with their own screens have begun, in memory only. The
/// flows keep theirs themselves.
final class KnownSharings: Sendable {
  /// The number that are kept; the oldest one is forgotten first.
  private static let maximumCount = 8

  private let sharings = Monitor<[Sharing]>([])

  func add(_ sharing: Sharing) {
    sharings.withLock { sharings in
      sharings.append(sharing)
      if sharings.count > Self.maximumCount { sharings.removeFirst() }
    }
  }

  func find(_ id: String) -> Sharing? {
    sharings.withLock { $0.first { $0.id.utf8.elementsEqual(id.utf8) } }
  }

  func remove(_ sharing: Sharing) {
    sharings.withLock { $0.removeAll { $0 === sharing } }
  }

  /// Drops the keys of authorised uses, because of a lock.
  func forgetUses() { for sharing in sharings.withLock({ $0 }) { sharing.forgetUse() } }

  /// Forgets all, because the wallet is wiped or another client has taken over.
  func removeAll() { sharings.withLock { $0 = [] } }
}
