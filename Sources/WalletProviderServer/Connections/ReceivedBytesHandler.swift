import NIOCore

/// Notifies a connection of received bytes before a complete request head is parsed.
final class ReceivedBytesHandler: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  private let connection: ConnectionHandler

  init(_ connection: ConnectionHandler) { self.connection = connection }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    connection.receivedBytes(at: context.eventLoop.now)
    context.fireChannelRead(data)
  }
}
