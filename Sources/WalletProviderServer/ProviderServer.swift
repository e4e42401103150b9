public import Hummingbird
import HummingbirdCore
public import Logging
import NIOCore
public import ServiceLifecycle
import UnixSignals

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The HTTP server around a responder, and its life.
public enum ProviderServer {
  /// A server that answers with `responder` at `address`, as a service of a group.
  ///
  /// - Parameters:
  ///   - tls: what the server proves itself with; nil speaks plain HTTP.
  ///   - whenListening: told the port once connections are taken; 0 on a Unix socket.
  public static func application<Responder: HTTPResponder>(
    responder: Responder, address: BindAddress, tls: ServerTLS? = nil, logger: Logger,
    whenListening: @escaping @Sendable (_ port: Int) async -> Void
  ) throws -> Application<Responder>
  where
    Responder.Context: RequestContext,
    Responder.Context.Source == ApplicationRequestContextSource
  {
    // Whoever says nothing for a minute is taking a connection from somebody else.
    let http = HTTPServerBuilder.http1(configuration: .init(idleTimeout: .seconds(60)))
    return Application(
      responder: responder, server: try tls?.builder(http) ?? http,
      configuration: ApplicationConfiguration(
        address: address, availableConnectionsDelegate: MaximumAvailableConnections(10_000)),
      onServerRunning: { channel in await whenListening(channel.localAddress?.port ?? 0) },
      logger: logger)
  }

  /// Runs `services` until SIGTERM or SIGINT; running requests get 10 seconds to end.
  public static func run(_ services: [any Service], logger: Logger) async throws {
    var configuration = ServiceGroupConfiguration(
      services: services, gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
    configuration.maximumGracefulShutdownDuration = .seconds(10)
    do {
      try await ServiceGroup(configuration: configuration).run()
    } catch let error as IOError {
      throw ListeningError(
        description: "cannot listen: \(String(cString: strerror(error.errnoCode)))")
    }
  }
}

/// The address could not be listened on.
public struct ListeningError: Error, CustomStringConvertible {
  /// The words of the operating system.
  public let description: String
}
