import Synchronization

/// Counts connections in total, per address, and per /48 of IPv6. The limit of a /48 is sixteen
/// times that of an address.
final class ConnectionCounter: Sendable {
  private struct Counts {
    var all = 0
    var byAddress: [ClientAddress: Int] = [:]
    /// By the /48 of IPv6 addresses.
    var bySite: [ClientAddress: Int] = [:]
  }

  private let counts = Mutex(Counts())
  private let limit: Int
  private let limitPerAddress: Int

  /// - Parameter limitPerAddress: 0 for no limit.
  init(limit: Int, limitPerAddress: Int) {
    self.limit = limit
    self.limitPerAddress = limitPerAddress
  }

  /// Counts a new connection. Returns nil if it is allowed, otherwise the limit that refuses it. A
  /// refused connection is not counted.
  func open(_ address: ClientAddress?) -> Limit? {
    counts.withLock { counts in
      guard counts.all < limit else { return .connections }
      if let address, limitPerAddress > 0 {
        guard counts.byAddress[address, default: 0] < limitPerAddress else {
          return .connectionsPerAddress
        }
        if let site = address.site {
          let (most, overflow) = limitPerAddress.multipliedReportingOverflow(
            by: AddressBuckets.siteFactor)
          guard overflow || counts.bySite[site, default: 0] < most else {
            return .connectionsPerAddress
          }
          counts.bySite[site, default: 0] += 1
        }
        counts.byAddress[address, default: 0] += 1
      }
      counts.all += 1
      return nil
    }
  }

  /// Stops counting a connection, because it was closed.
  func close(_ address: ClientAddress?) {
    counts.withLock { counts in
      counts.all -= 1
      guard let address else { return }
      Self.decrease(address, &counts.byAddress)
      if let site = address.site { Self.decrease(site, &counts.bySite) }
    }
  }

  private static func decrease(_ key: ClientAddress, _ counts: inout [ClientAddress: Int]) {
    guard let count = counts[key] else { return }
    counts[key] = count > 1 ? count - 1 : nil
  }

  var count: Int { counts.withLock { $0.all } }
}
