public import Hummingbird
public import NIOCore

/// The context of a request.
public struct ProviderContext: RemoteAddressRequestContext {
  public var coreContext: CoreRequestContextStorage
  /// The address of the peer.
  public let remoteAddress: SocketAddress?

  public init(source: ApplicationRequestContextSource) {
    coreContext = .init(source: source)
    remoteAddress = source.channel.remoteAddress
  }
}
