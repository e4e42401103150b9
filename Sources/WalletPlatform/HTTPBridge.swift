/// The host's own HTTP stack, if it has passed one.
public protocol HTTPBridge: Sendable {
  /// Whether there is one at this moment.
  var isPresent: Bool { get }

  /// Hands `call` to the host and waits for the reply, somewhat longer than the call may last. A
  /// cancellation ends the wait. Must not be called on a thread that runs host code.
  ///
  /// - Throws: `missing` if there is no stack; `timedOut`, `cancelled`.
  func send(
    _ call: HTTPCall, cancellation: Cancellation
  ) throws(BridgeFailure) -> HTTPReply
}

/// Logs the calls of the host's HTTP stack that fail: how, and never of which URL.
public struct LoggedHTTPBridge: HTTPBridge {
  private let base: any HTTPBridge
  private let log: Log

  public init(_ base: any HTTPBridge, log: Log) {
    self.base = base
    self.log = log
  }

  public var isPresent: Bool { base.isPresent }

  public func send(
    _ call: HTTPCall, cancellation: Cancellation
  ) throws(BridgeFailure) -> HTTPReply {
    do throws(BridgeFailure) {
      let reply = try base.send(call, cancellation: cancellation)
      if reply.outcome != .answered {
        log(.debug, "bridges", "http_bridge.send ended with outcome \(reply.outcome.rawValue).")
      }
      return reply
    } catch {
      log.failure(of: "http_bridge.send", error)
      throw error
    }
  }
}
