import Synchronization

/// Counts connections, in total and per address.
final class ConnectionCounter: Sendable {
  private struct Counts {
    var all = 0
    var byAddress: [ClientAddress: Int] = [:]
  }

  private let counts = Mutex(Counts())
  private let limit: Int
  private let limitPerAddress: Int

  /// - Parameter limitPerAddress: 0 for no limit.
  init(limit: Int, limitPerAddress: Int) {
    self.limit = limit
    self.limitPerAddress = limitPerAddress
  }

  /// Counts a new connection. Returns nil, or the limit that refuses it; a refused connection is
  /// not counted.
  func open(_ address: ClientAddress?) -> Limit? {
    counts.withLock { counts in
      guard counts.all < limit else { return .connections }
      if let address {
        let sameAddress = counts.byAddress[address, default: 0]
        guard limitPerAddress == 0 || sameAddress < limitPerAddress else {
          return .connectionsPerAddress
        }
        counts.byAddress[address] = sameAddress + 1
      }
      counts.all += 1
      return nil
    }
  }

  /// Ends the counting of a connection.
  func close(_ address: ClientAddress?) {
    counts.withLock { counts in
      counts.all -= 1
      guard let address, let sameAddress = counts.byAddress[address] else { return }
      counts.byAddress[address] = sameAddress > 1 ? sameAddress - 1 : nil
    }
  }

  var count: Int { counts.withLock { $0.all } }
}
