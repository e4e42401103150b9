internal import WalletPlatform

/// The faults of the next requests to the provider.
final class NetworkFaults: Sendable {
  private struct State {
    var fault = SystemEnvironment.NetworkFault.none
    /// The number of requests that still get the fault; negative for all.
    var count: Int32 = 0
  }

  private let state = Monitor(State())

  func set(_ fault: SystemEnvironment.NetworkFault, count: Int32) {
    state.withLock { $0 = State(fault: fault, count: count) }
  }

  /// Returns the fault of the next request.
  func next() -> SystemEnvironment.NetworkFault {
    state.withLock { state in
      guard state.count != 0 else { return .none }
      if state.count > 0 { state.count -= 1 }
      return state.fault
    }
  }
}
