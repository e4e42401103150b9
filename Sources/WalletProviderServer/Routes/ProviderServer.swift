public import Hummingbird
import HummingbirdCore
public import Logging
import NIOCore
public import ServiceLifecycle
import UnixSignals

/// Runs HTTP servers.
public enum ProviderServer {
  /// A service that answers with `responder` at `address`.
  ///
  /// - Parameters:
  ///   - tls: the server's TLS identity; nil for plain HTTP.
  ///   - limits: the limits of connections and times; must be the object that the responder uses.
  ///   - whenListening: called with the port once connections are accepted; 0 on a Unix socket.
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
        // If the handler cannot be added, the listener is closed already and its closing needs no
        // delay.
        try? await channel.eventLoop.submit {
          try channel.pipeline.syncOperations.addHandler(GracefulClose(pendingConnections))
        }.get()
        await whenListening(channel.localAddress?.port ?? 0)
      },
      logger: logger)
    return ListeningServer(application: application, address: address)
  }

  /// The server of `/metrics`, if the settings enable it.
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

  /// Runs `services` until SIGTERM or SIGINT, then ends them in reverse order.
  ///
  /// - Parameter shutdownSeconds: how long requests in progress may continue after the signal.
  /// - Throws: `ListeningError` if an address is taken. This is checked before any service runs:
  ///   otherwise one server would start and then be shut down because the other cannot listen, with
  ///   confusing log messages from libraries.
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
    let group = ServiceGroup(configuration: configuration)
    try await withTaskExecutorPreference(RequestExecutor()) { try await group.run() }
  }
}

/// A service that listens on an address.
private protocol ListeningService: Service {
  var address: ListeningAddress { get }
}

/// A server whose errors name the address on which it could not listen.
private struct ListeningServer<Application: ApplicationProtocol>: ListeningService,
  CustomStringConvertible
{
  /// Only the type's name, because libraries log the description of each service that they run.
  let description = "ListeningServer"
  let application: Application
  let address: ListeningAddress

  func run() async throws {
    do {
      try await application.run()
    } catch { throw ListeningError(error, at: address) ?? error }
  }
}
