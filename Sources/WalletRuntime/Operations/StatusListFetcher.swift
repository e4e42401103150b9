internal import WalletModel
internal import WalletPlatform
internal import WalletTransport

/// Fetches status lists from hosts of other parties, one after another on a thread of its own.
///
/// On the wallet's threads a host that holds its answer back would delay the user's requests, or see
/// by the end of the connection when the user does something. Here nothing that the user does begins
/// or ends a request, except a wipe.
final class StatusListFetcher: Sendable {
  private struct State: Sendable {
    var waiting: [String] = []
    var thread: NamedThread?
    /// Whether the thread still takes what waits.
    var isRunning = false
    var isStopping = false
    var cancellation = Cancellation()
    /// Counts the wipes.
    var era: UInt64 = 0
    var deliver: @Sendable (_ uri: String, _ list: String) -> Void = { _, _ in }
  }

  /// The largest status list, in bytes.
  private static let largest = 2 << 20
  static let type = "application/statuslist+jwt"

  private let allowLoopback: Bool
  private let log: Log
  private let makeStack: @Sendable () -> any HTTPStack
  private let authorities: @Sendable () -> [UInt8]?
  private let state = Monitor(State())

  /// - Parameters:
  ///   - makeStack: Makes a stack that only the fetcher's thread uses.
  ///   - authorities: Those that may certify the hosts at this moment; nil for those of the system.
  init(
    allowLoopback: Bool, log: Log, makeStack: @escaping @Sendable () -> any HTTPStack,
    authorities: @escaping @Sendable () -> [UInt8]?
  ) {
    self.allowLoopback = allowLoopback
    self.log = log
    self.makeStack = makeStack
    self.authorities = authorities
  }

  /// Sets what gets the lists. Runs on the fetcher's thread and must not wait.
  func whenFetched(_ deliver: @escaping @Sendable (_ uri: String, _ list: String) -> Void) {
    state.withLock { $0.deliver = deliver }
  }

  /// The era in which something begins whose lists are asked for later.
  var era: UInt64 { state.withLock { $0.era } }

  /// Fetches the lists soon, unless the wallet was wiped since `era`. Never waits.
  func fetch(_ uris: [String], begunIn era: UInt64) {
    guard !uris.isEmpty else { return }
    let ended = state.withLock { state -> NamedThread? in
      guard !state.isStopping, state.era == era else { return nil }
      state.waiting += uris.filter { !state.waiting.contains($0) }
      guard !state.isRunning else { return nil }
      defer {
        state.thread = NamedThread("wallet_core.sts", signals: .blocked) { [self] in run() }
        state.isRunning = state.thread != nil
      }
      return state.thread
    }
    // It has taken everything and touches nothing any more.
    ended?.join()
  }

  /// Drops what waits and ends the request under way, because the wallet is wiped.
  func cancel() {
    let cancellation = state.withLock { state in
      state.waiting = []
      state.era &+= 1
      defer { state.cancellation = Cancellation() }
      return state.cancellation
    }
    cancellation.cancel()
  }

  /// Ends the thread and waits for it.
  func shutDown() {
    state.withLock { $0.isStopping = true }
    cancel()
    state.withLock { state in
      defer { state.thread = nil }
      return state.thread
    }?.join()
  }

  private func run() {
    let client = ForeignClient(stack: makeStack(), allowLoopback: allowLoopback)
    while let (uri, cancellation) = next() {
      do throws(WalletError) {
        let list = try fetch(uri, by: client, cancellation)
        state.withLock { $0.deliver }(uri, list)
      } catch {
        log(.info, "cards", "The status of a card is not known: \(error.message)")
      }
    }
  }

  private func next() -> (String, Cancellation)? {
    state.withLock { state in
      guard !state.waiting.isEmpty, !state.isStopping else {
        state.isRunning = false
        return nil
      }
      return (state.waiting.removeFirst(), state.cancellation)
    }
  }

  private func fetch(
    _ uri: String, by client: ForeignClient, _ cancellation: Cancellation
  ) throws(WalletError) -> String {
    let request = ForeignRequest(
      try client.url(uri), accepts: [Self.type], largestBody: Self.largest)
    let answer: HTTPResponse
    do throws(HTTPFailure) {
      answer = try client.send(request, authorities: authorities(), cancellation: cancellation)
    } catch { throw error.error }
    return try answer.statusList(of: .other)
  }
}

extension HTTPResponse {
  /// The status list in the answer.
  func statusList(of peer: HTTPPeer) throws(WalletError) -> String {
    guard (200...299).contains(status), let list = String(validating: body, as: UTF8.self) else {
      throw failure(of: peer)
        ?? WalletError(
          .serverRefused, "The \(peer.rawValue) sent something else than a status list.")
    }
    return list
  }
}
