import NIOCore

/// Tells a connection that bytes came, before there is a whole head of them.
final class ReceivedBytesHandler: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  private let connection: ConnectionHandler

  init(_ connection: ConnectionHandler) { self.connection = connection }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    connection.receivedBytes(at: context.eventLoop.now)
    context.fireChannelRead(data)
  }
}
