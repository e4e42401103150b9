import Synchronization

/// Refuses the first requests on a path, each with a status and the wish to wait some seconds.
final class Refusals: Sendable {
  private let path: String
  private let statuses: Mutex<[Int]>
  private let seconds: Int

  init(_ path: String, _ statuses: [Int], seconds: Int) {
    self.path = path
    self.statuses = Mutex(statuses)
    self.seconds = seconds
  }

  /// How many are not refused yet.
  var left: Int { statuses.withLock { $0.count } }

  func answer(to exchange: ManInTheMiddle.Exchange) -> [UInt8]? {
    guard exchange.path == path else { return nil }
    let status = statuses.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    return status.map { ManInTheMiddle.http($0, "", retryAfter: seconds) }
  }
}
