import HummingbirdCore
import NIOCore
import Synchronization

/// Connections that were taken and that nobody reads from yet.
final class PendingConnections: Sendable {
  private let pending = Atomic(0)
  private let isEnding = Atomic(false)

  func add() { pending.add(1, ordering: .relaxed) }
  func remove() { pending.subtract(1, ordering: .relaxed) }
  /// The listener is told to close; it still takes some.
  func beginShutdown() { isEnding.store(true, ordering: .relaxed) }

  var isEmpty: Bool { pending.load(ordering: .relaxed) <= 0 }
  /// Whether who comes now comes at a shutdown: all others were told by an event, which is sent before these
  /// have a handler to hear it.
  var isShuttingDown: Bool { isEnding.load(ordering: .relaxed) }
}

/// Hears of connections at the moment when the listener takes them.
struct PendingConnectionCounter: AvailableConnectionsDelegate {
  let pendingConnections: PendingConnections

  func connectionOpened() { pendingConnections.add() }
  func connectionClosed() {}
  func isAcceptingNewConnections() -> Bool { true }
}

/// Closes a listener when every connection that it took is being read from: the server drops the others.
final class GracefulClose: ChannelOutboundHandler {
  typealias OutboundIn = Any

  private let pendingConnections: PendingConnections
  /// Looks, a millisecond apart, before it closes in any case.
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
