import HummingbirdCore
import NIOCore
import NIOHTTPTypes
import Synchronization

/// A connection that is set up but not read from yet.
///
/// The server drops connections that arrive while it closes its listener. Dropping a
/// NIOAsyncChannel ends the process (NIOAsyncWriter must be finished), so none is made before the
/// connection is read.
final class AcceptedConnection: ServerChildChannelValue {
  typealias Parts = NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>

  let channel: any Channel
  private let pendingConnections: PendingConnections
  private let isOpened = Atomic(false)

  /// - Parameters:
  ///   - channel: the channel, with automatic reads turned off.
  ///   - pendingConnections: the counter in which it is counted until it is opened or dropped.
  init(_ channel: any Channel, pendingConnections: PendingConnections) {
    self.channel = channel
    self.pendingConnections = pendingConnections
  }

  deinit {
    guard !isOpened.load(ordering: .relaxed) else { return }
    pendingConnections.remove()
    channel.close(promise: nil)
  }

  /// Begins to read; nil if the connection was closed before. Must be called at most once.
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
