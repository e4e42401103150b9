import HummingbirdCore
import NIOCore
import Synchronization

/// Connections that were taken and that nobody reads from yet.
final class Arrivals: Sendable {
  private let pending = Atomic(0)
  private let isEnding = Atomic(false)

  func came() { pending.add(1, ordering: .relaxed) }
  func left() { pending.subtract(1, ordering: .relaxed) }
  /// The listener is told to close; it still takes some.
  func end() { isEnding.store(true, ordering: .relaxed) }

  var isEmpty: Bool { pending.load(ordering: .relaxed) <= 0 }
  /// Whether who comes now comes at a shutdown: all others were told by an event, which is sent before these
  /// have a handler to hear it.
  var areLast: Bool { isEnding.load(ordering: .relaxed) }
}

/// Hears of connections at the moment when the listener takes them.
struct ArrivalCount: AvailableConnectionsDelegate {
  let arrivals: Arrivals

  func connectionOpened() { arrivals.came() }
  func connectionClosed() {}
  func isAcceptingNewConnections() -> Bool { true }
}

/// Closes a listener when every connection that it took is being read from: the server drops the others.
final class GracefulClose: ChannelOutboundHandler {
  typealias OutboundIn = Any

  private let arrivals: Arrivals
  /// Looks, a millisecond apart, before it closes in any case.
  private var patience = 200

  init(_ arrivals: Arrivals) { self.arrivals = arrivals }

  func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
    arrivals.end()
    guard !arrivals.isEmpty, patience > 0, context.channel.isActive else {
      return context.close(mode: mode, promise: promise)
    }
    patience -= 1
    let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    context.eventLoop.scheduleTask(in: .milliseconds(1)) {
      let (handler, context) = bound.value
      handler.close(context: context, mode: mode, promise: promise)
    }
  }
}
