public import Hummingbird
import HummingbirdCore
public import Logging
import NIOCore
public import ServiceLifecycle
import UnixSignals

/// The HTTP server around a responder, and its life.
public enum ProviderServer {
  /// A server that answers with `responder` at `address`, as a service of a group.
  ///
  /// - Parameters:
  ///   - tls: what the server proves itself with; nil speaks plain HTTP.
  ///   - limits: connections and times; the same as those of the responder.
  ///   - whenListening: told the port once connections are taken; 0 on a Unix socket.
  public static func service<Responder: HTTPResponder>(
    responder: Responder, address: ListeningAddress, tls: ServerTLS? = nil,
    limits: RequestLimits = RequestLimits(), logger: Logger,
    whenListening: @escaping @Sendable (_ port: Int) async -> Void
  ) -> any Service
  where
    Responder.Context: RequestContext,
    Responder.Context.Source == ApplicationRequestContextSource
  {
    OpenFiles.allow(limits.settings.connections, logger: logger)
    let pendingConnections = PendingConnections()
    let application = Application(
      responder: responder,
      server: HTTPServerBuilder { responder in
        ProviderChannel(
          responder: responder, limits: limits, tls: tls, pendingConnections: pendingConnections)
      },
      configuration: ApplicationConfiguration(
        address: address.bindAddress,
        availableConnectionsDelegate: PendingConnectionCounter(
          pendingConnections: pendingConnections)),
      onServerRunning: { channel in
        // There is nothing to wait for where it cannot be added: the channel is closed then.
        try? await channel.eventLoop.submit {
          try channel.pipeline.syncOperations.addHandler(GracefulClose(pendingConnections))
        }.get()
        await whenListening(channel.localAddress?.port ?? 0)
      },
      logger: logger)
    return ListeningServer(application: application, address: address)
  }

  /// The server of `/metrics`, where the settings want one.
  public static func metrics(
    _ settings: ServerSettings, _ limits: RequestLimits, logger: Logger
  ) -> [any Service] {
    guard let port = settings.metricsPort else { return [] }
    let host = settings.metricsHost
    return [
      service(
        responder: MetricsResponder(limits.metrics), address: .host(host, port: port),
        logger: logger
      ) { port in
        let authority = ServerSettings.authority(host, port: port)
        StandardOutput.print("metrics are at http://\(authority)\(MetricsResponder.path)")
      }
    ]
  }

  /// Runs `services` until SIGTERM or SIGINT, and ends the last of them first.
  ///
  /// - Parameter shutdownSeconds: how long requests under way have then.
  /// - Throws: `ListeningError` before anything runs, where an address is taken: one server that runs would
  ///   be told to end for the sake of the other, and libraries would say so in words of theirs.
  public static func run(
    _ services: [any Service], shutdownSeconds: Int = LimitSettings().shutdownSeconds,
    logger: Logger
  ) async throws {
    for case let server as any ListeningService in services {
      try await server.address.checkIsFree()
    }
    var configuration = ServiceGroupConfiguration(
      services: services, gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
    configuration.maximumGracefulShutdownDuration = .seconds(shutdownSeconds)
    try await ServiceGroup(configuration: configuration).run()
  }
}

/// A service that listens.
private protocol ListeningService: Service {
  var address: ListeningAddress { get }
}

/// A server that says where it could not listen.
private struct ListeningServer<Application: ApplicationProtocol>: ListeningService,
  CustomStringConvertible
{
  /// The name alone: libraries log the services that they run.
  let description = "ListeningServer"
  let application: Application
  let address: ListeningAddress

  func run() async throws {
    do {
      try await application.run()
    } catch { throw ListeningError(error, at: address) ?? error }
  }
}
