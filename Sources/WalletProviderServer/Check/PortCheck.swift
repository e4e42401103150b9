import NIOCore
import NIOPosix

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Looks whether the address can be listened on, by doing so for a moment.
enum PortCheck {
  static func finding(_ settings: ServerSettings) async -> Finding {
    let place = "\(settings.host), port \(settings.port)"
    do {
      let channel = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
        .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
        .bind(host: settings.host, port: settings.port).get()
      try await channel.close()
      return Finding(.ok, "address", "\(place) is free")
    } catch let error as IOError {
      let reason = String(cString: strerror(error.errnoCode))
      let hint = error.errnoCode == EADDRINUSE ? "; is a server running already?" : ""
      return Finding(.wrong, "address", "cannot listen on \(place): \(reason)\(hint)")
    } catch {
      return Finding(.wrong, "address", "cannot listen on \(place): the name is not known here")
    }
  }
}
