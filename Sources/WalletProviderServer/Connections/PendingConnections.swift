import HummingbirdCore
import NIOCore
import Synchronization

/// Counts connections that were accepted but are not read from yet.
final class PendingConnections: Sendable {
  private let pending = Atomic(0)
  private let isEnding = Atomic(false)

  func add() { pending.add(1, ordering: .relaxed) }
  func remove() { pending.subtract(1, ordering: .relaxed) }
  /// Called when the listener is told to close; it may still accept some connections.
  func beginShutdown() { isEnding.store(true, ordering: .relaxed) }

  var isEmpty: Bool { pending.load(ordering: .relaxed) <= 0 }
  /// Whether the server is shutting down. Connections that are set up learn this from an event. A
  /// connection that is set up after the event must ask here.
  var isShuttingDown: Bool { isEnding.load(ordering: .relaxed) }
}

/// Counts connections when the listener accepts them.
struct PendingConnectionCounter: AvailableConnectionsDelegate {
  let pendingConnections: PendingConnections

  func connectionOpened() { pendingConnections.add() }
  func connectionClosed() {}
  func isAcceptingNewConnections() -> Bool { true }
}

/// Delays the closing of a listener until every accepted connection is being read, because the HTTP
/// server would drop the connections that are not.
final class GracefulClose: ChannelOutboundHandler {
  typealias OutboundIn = Any

  private let pendingConnections: PendingConnections
  /// The number of checks left, one per millisecond. After the last one the listener closes anyway.
  private var remainingChecks = 200

  init(_ pendingConnections: PendingConnections) { self.pendingConnections = pendingConnections }

  func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
    pendingConnections.beginShutdown()
    guard !pendingConnections.isEmpty, remainingChecks > 0, context.channel.isActive else {
      return context.close(mode: mode, promise: promise)
    }
    remainingChecks -= 1
    let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    context.eventLoop.scheduleTask(in: .milliseconds(1)) {
      let (handler, context) = bound.value
      handler.close(context: context, mode: mode, promise: promise)
    }
  }
}
