import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import NIOSSL

/// Sets up a connection: counts it, adds TLS if configured, and adds its handler.
struct ProviderChannel: HTTPChannelHandler {
  typealias Value = AcceptedConnection

  let responder: HTTPChannelHandler.Responder
  let limits: RequestLimits
  let tls: ServerTLS?
  let pendingConnections: PendingConnections

  func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
    channel.eventLoop.makeCompletedFuture {
      let refusedBy = enter(channel)
      let pipeline = channel.pipeline.syncOperations
      if let tls { try pipeline.addHandler(NIOSSLServerHandler(context: tls.context)) }
      let connection = ConnectionHandler(
        limits: limits, isTLS: tls != nil, isShuttingDown: pendingConnections.isShuttingDown,
        logger: logger)
      try pipeline.addHandler(ReceivedBytesHandler(connection))
      var decoding = NIOHTTPDecoderLimitConfiguration()
      decoding.maxHeaderFieldSize = limits.settings.headerBytes
      decoding.maxHeaderListSize = limits.settings.headerBytes
      try pipeline.configureHTTPServerPipeline(
        withPipeliningAssistance: false, withErrorHandling: false,
        withOutboundHeaderValidation: false, withEncoderConfiguration: .init(),
        withDecoderLimitConfiguration: decoding)
      try pipeline.addHandler(connection)
      try channel.syncOptions?.setOption(.autoRead, value: false)
      if refusedBy != nil { channel.close(promise: nil) }
      return AcceptedConnection(channel, pendingConnections: pendingConnections)
    }
  }

  /// Counts the connection. Returns nil if it is allowed, otherwise the limit that refuses it.
  private func enter(_ channel: any Channel) -> Limit? {
    let peer = channel.remoteAddress
    let address = limits.isProxy(peer) ? nil : ClientAddress(peer)
    if let refusedBy = limits.connections.open(address) {
      limits.metrics.limitsHit.add(refusedBy.rawValue)
      return refusedBy
    }
    limits.metrics.connectionsOpened.add()
    channel.closeFuture.whenComplete { [limits] _ in limits.connections.close(address) }
    return nil
  }

  func handle(value: Value, logger: Logger) async {
    guard let parts = await value.open() else { return }
    await handleHTTP(asyncChannel: parts, logger: logger)
  }
}
