public import ArgumentParser

/// The options of `serve` for its data and its address.
public struct ServerOptions: SettingOptionGroup {
  @Option(help: .configurationFile) public var config: String?
  @Option(help: .setting(.data)) public var data: String?
  @Option(help: .setting(.database)) public var database: String?
  @Option(help: .setting(.databaseConnections)) public var databaseConnections: String?
  @Option(help: .setting(.host)) public var host: String?
  @Option(help: .setting(.port)) public var port: String?
  @Option(help: .setting(.tlsCertificate)) public var tlsCertificate: String?
  @Option(help: .setting(.tlsKey)) public var tlsKey: String?
  @Flag(inversion: .prefixedNo, help: .setting(.behindProxy)) public var behindProxy: Bool?
  @Option(help: .setting(.publicURL)) public var publicUrl: String?

  public init() {}
}

/// The options of `serve` for its log.
public struct LogOptions: SettingOptionGroup {
  @Option(help: .setting(.logLevel)) public var logLevel: String?
  @Option(help: .setting(.logFormat)) public var logFormat: String?

  public init() {}
}

/// The options of `serve` for its metrics.
public struct MetricsOptions: SettingOptionGroup {
  @Option(help: .setting(.metricsPort)) public var metricsPort: String?
  @Option(help: .setting(.metricsHost)) public var metricsHost: String?

  public init() {}
}
