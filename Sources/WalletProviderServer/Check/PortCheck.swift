import NIOCore
import NIOPosix

/// Looks whether the address can be listened on, by doing so for a moment.
enum PortCheck {
  static func finding(_ settings: ServerSettings) async -> Finding {
    let address = ListeningAddress.host(settings.host, port: settings.port)
    do {
      let channel = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
        .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
        .bind(host: settings.host, port: settings.port).get()
      try await channel.close()
      return Finding(.ok, "address", "\(address.place) is free")
    } catch {
      let problem = ListeningError(error, at: address)?.description
      return Finding(.wrong, "address", problem ?? "cannot listen on \(address.place)")
    }
  }
}
