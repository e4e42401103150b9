internal import WalletModel
internal import WalletPlatform
internal import WalletTransport

/// A fault of a request to the provider or a relying party; the numbers are those of wallet_core_testing.h.
enum NetworkFault: Int32 {
  case none = 0
  case noInternet = 1
  case refused = 2
  /// The request is sent and its answer dropped.
  case answerLost = 3
}

/// The faults of the next requests.
final class NetworkFaults: Sendable {
  private struct State {
    var fault = NetworkFault.none
    /// The number of requests that still get the fault; negative for all.
    var count: Int32 = 0
  }

  private let state = Monitor(State())

  func set(_ fault: NetworkFault, count: Int32) {
    state.withLock { $0 = State(fault: fault, count: count) }
  }

  /// Returns the fault of the next request.
  func next() -> NetworkFault {
    state.withLock { state in
      guard state.count != 0 else { return .none }
      if state.count > 0 { state.count -= 1 }
      return state.fault
    }
  }
}

/// A transport whose requests have faults.
struct FaultyTransport: Transport {
  let transport: any Transport
  let faults: NetworkFaults

  func send(
    _ request: HTTPRequest, cancellation: Cancellation
  ) throws(WalletError) -> HTTPResponse {
    // A request that is cancelled already uses up no fault.
    let fault = cancellation.isCancelled ? .none : faults.next()
    switch fault {
    case .noInternet: throw WalletError(.noInternet, "There is no network to the provider.")
    case .refused:
      throw WalletError(.serverUnreachable, "The provider refused the connection.")
    case .none: return try transport.send(request, cancellation: cancellation)
    case .answerLost:
      _ = try transport.send(request, cancellation: cancellation)
      throw WalletError(.serverUnreachable, "The provider did not answer completely.")
    }
  }
}

/// The same for requests to relying parties.
struct FaultyStack: HTTPStack {
  let stack: any HTTPStack
  let faults: NetworkFaults

  func perform(
    _ call: HTTPCall, of peer: HTTPPeer, cancellation: Cancellation
  ) throws(HTTPFailure) -> HTTPResponse {
    let fault = cancellation.isCancelled ? .none : faults.next()
    switch fault {
    case .noInternet:
      throw HTTPFailure(
        WalletError(.noInternet, "There is no network to the other party."), wasSent: false)
    case .refused:
      throw HTTPFailure(
        WalletError(.serverUnreachable, "The other party refused the connection."),
        wasSent: false)
    case .none: return try stack.perform(call, of: peer, cancellation: cancellation)
    case .answerLost:
      _ = try stack.perform(call, of: peer, cancellation: cancellation)
      throw HTTPFailure(
        WalletError(.serverUnreachable, "The other party did not answer completely."),
        wasSent: true)
    }
  }
}
