import HummingbirdCore
import NIOCore
import NIOHTTPTypes
import Synchronization

/// A connection that is set up but not read from yet.
///
/// The HTTP server drops connections that arrive while its listener closes. Dropping a
/// `NIOAsyncChannel` that was never used ends the process (its `NIOAsyncWriter` must be finished).
/// So a connection gets its `NIOAsyncChannel` only in `open()`, when it is about to be read.
final class AcceptedConnection: ServerChildChannelValue {
  typealias Parts = NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>

  let channel: any Channel
  private let pendingConnections: PendingConnections
  private let isOpened = Atomic(false)

  /// - Parameters:
  ///   - channel: the channel, with automatic reads turned off.
  ///   - pendingConnections: counts this connection until it is opened or dropped.
  init(_ channel: any Channel, pendingConnections: PendingConnections) {
    self.channel = channel
    self.pendingConnections = pendingConnections
  }

  deinit {
    guard !isOpened.load(ordering: .relaxed) else { return }
    pendingConnections.remove()
    channel.close(promise: nil)
  }

  /// Begins to read from the connection; nil if it is already closed. Must be called at most once.
  func open() async -> Parts? {
    isOpened.store(true, ordering: .relaxed)
    pendingConnections.remove()
    let parts = channel.eventLoop.submit { [channel] () -> Parts? in
      guard channel.isActive else { return nil }
      let parts = try Parts(
        wrappingChannelSynchronously: channel,
        configuration: .init(isOutboundHalfClosureEnabled: true))
      try channel.syncOptions?.setOption(.autoRead, value: true)
      return parts
    }
    return (try? await parts.get()) ?? nil
  }
}
