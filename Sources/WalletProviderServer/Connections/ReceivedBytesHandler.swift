import NIOCore

/// Tells the connection's handler that bytes arrived, before they are parsed into a request.
final class ReceivedBytesHandler: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  private let connection: ConnectionHandler

  init(_ connection: ConnectionHandler) { self.connection = connection }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    connection.receivedBytes(at: context.eventLoop.now)
    context.fireChannelRead(data)
  }
}
