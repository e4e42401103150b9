internal import WalletCrypto
internal import WalletModel
internal import WalletPlatform
internal import WalletTransport

/// The turn to use the wallet, which one thread of the job queue has at a time.
///
/// A job has the turn from its start to its end, except while it waits for a bridge or the network,
/// or to send a message again, or derives a key. So what one thread reads and writes between two such waits is never mixed with
/// what the other thread reads and writes. Turns are given in the order in which they were asked
/// for.
final class SessionTurn: Sendable {
  private struct State: Sendable {
    var nextTicket: UInt64 = 0
    var served: UInt64 = 0
  }

  private let state = Monitor(State())
  private let clock: any BootClock

  init(clock: any BootClock) { self.clock = clock }

  func take() {
    var ticket: UInt64?
    _ = state.wait(clock: clock) { state -> Bool? in
      if ticket == nil {
        ticket = state.nextTicket
        state.nextTicket &+= 1
      }
      return state.served == ticket ? true : nil
    }
  }

  func give() { state.update { $0.served &+= 1 } }

  /// Gives the turn of this thread away while `body` runs. `body` must not use the wallet.
  func givenAway<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    give()
    defer { take() }
    return try body()
  }
}

/// The bridges as a session uses them: the other thread has the turn while they are asked.
struct TurnGivingBridges: PlatformBridges {
  let bridges: any PlatformBridges
  let turn: SessionTurn

  func perform(
    _ request: BridgeRequest, cancellation: Cancellation
  ) throws(BridgeFailure) -> Secret {
    try turn.givenAway { () throws(BridgeFailure) in
      try bridges.perform(request, cancellation: cancellation)
    }
  }

  var areReady: Bool { bridges.areReady }

  var rules: PlatformRules { bridges.rules }
}

/// The transport as a session uses it: the other thread has the turn while the provider is asked.
struct TurnGivingTransport: Transport {
  let transport: any Transport
  let turn: SessionTurn

  func send(
    _ request: HTTPRequest, cancellation: Cancellation
  ) throws(WalletError) -> HTTPResponse {
    try turn.givenAway { () throws(WalletError) in
      try transport.send(request, cancellation: cancellation)
    }
  }
}
