import HummingbirdCore
import NIOCore
import NIOHTTPTypes
import Synchronization

/// A connection that was set up and that nobody reads from yet.
///
/// The server drops those that come while it closes its listener. An asynchronous channel that is dropped
/// ends the process (NIOAsyncWriter insists on being finished), so there is none before somebody reads.
final class AcceptedConnection: ServerChildChannelValue {
  typealias Parts = NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>

  let channel: any Channel
  private let pendingConnections: PendingConnections
  private let isOpened = Atomic(false)

  /// - Parameters:
  ///   - channel: its reads are off.
  ///   - pendingConnections: where it was counted, and is until it is open or gone.
  init(_ channel: any Channel, pendingConnections: PendingConnections) {
    self.channel = channel
    self.pendingConnections = pendingConnections
  }

  deinit {
    guard !isOpened.load(ordering: .relaxed) else { return }
    pendingConnections.remove()
    channel.close(promise: nil)
  }

  /// Begins to read; nil where the connection has ended before. To be called once.
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
