public import Hummingbird
public import NIOCore

/// What is known of a request beside itself.
public struct ProviderContext: RemoteAddressRequestContext {
  public var coreContext: CoreRequestContextStorage
  /// The other end of the connection.
  public let remoteAddress: SocketAddress?

  public init(source: ApplicationRequestContextSource) {
    coreContext = .init(source: source)
    remoteAddress = source.channel.remoteAddress
  }
}
