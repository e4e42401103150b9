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
  ///   - limits: connections and times; the same as those of the responder.
  ///   - whenListening: told the port once connections are taken; 0 on a Unix socket.
  public static func application<Responder: HTTPResponder>(
    responder: Responder, address: BindAddress, tls: ServerTLS? = nil,
    limits: RequestLimits = RequestLimits(), logger: Logger,
    whenListening: @escaping @Sendable (_ port: Int) async -> Void
  ) -> Application<Responder>
  where
    Responder.Context: RequestContext,
    Responder.Context.Source == ApplicationRequestContextSource
  {
    OpenFiles.allow(limits.settings.connections, logger: logger)
    let arrivals = Arrivals()
    return Application(
      responder: responder,
      server: HTTPServerBuilder { responder in
        ProviderChannel(responder: responder, limits: limits, tls: tls, arrivals: arrivals)
      },
      configuration: ApplicationConfiguration(
        address: address, availableConnectionsDelegate: ArrivalCount(arrivals: arrivals)),
      onServerRunning: { channel in
        // There is nothing to wait for where it cannot be added: the channel is closed then.
        try? await channel.eventLoop.submit {
          try channel.pipeline.syncOperations.addHandler(ListenerFarewell(arrivals))
        }.get()
        await whenListening(channel.localAddress?.port ?? 0)
      },
      logger: logger)
  }

  /// The server of `/metrics`, where the settings want one.
  public static func metrics(
    _ settings: ServerSettings, _ limits: RequestLimits, logger: Logger
  ) -> [any Service] {
    guard let port = settings.metricsPort else { return [] }
    let host = settings.metricsHost
    return [
      application(
        responder: MetricsResponder(limits.metrics), address: .hostname(host, port: port),
        logger: logger
      ) { port in
        let authority = "\(host.contains(":") ? "[\(host)]" : host):\(port)"
        StandardOutput.print("metrics are at http://\(authority)\(MetricsResponder.path)")
      }
    ]
  }

  /// Runs `services` until SIGTERM or SIGINT, and ends the last of them first.
  ///
  /// - Parameter shutdownSeconds: how long requests under way have then.
  public static func run(
    _ services: [any Service], shutdownSeconds: Int = LimitSettings().shutdownSeconds,
    logger: Logger
  ) async throws {
    var configuration = ServiceGroupConfiguration(
      services: services, gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
    configuration.maximumGracefulShutdownDuration = .seconds(shutdownSeconds)
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
