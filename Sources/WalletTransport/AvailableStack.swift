internal import WalletModel
public import WalletPlatform

/// The host's own HTTP stack if it has passed one, libcurl otherwise.
public final class AvailableStack: HTTPStack {
  private let bridge: any HTTPBridge
  private let bridgeStack: BridgeStack
  private let curl = CurlStack()

  public init(_ bridge: any HTTPBridge) {
    self.bridge = bridge
    bridgeStack = BridgeStack(bridge)
  }

  public func perform(
    _ call: HTTPCall, of peer: HTTPPeer, cancellation: Cancellation
  ) throws(HTTPFailure) -> HTTPResponse {
    if bridge.isPresent {
      do throws(HTTPFailure) {
        return try bridgeStack.perform(call, of: peer, cancellation: cancellation)
      } catch  where error.error.kind == .transportMissing {
        // The host has taken its bridge away at this moment, and nothing was sent.
      }
    }
    return try curl.perform(call, of: peer, cancellation: cancellation)
  }
}
