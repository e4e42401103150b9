public import ArgumentParser

/// The options of `serve` for its limits.
public struct LimitOptions: SettingOptionGroup {
  @Option(help: .setting(.bodyBytes)) public var bodyBytes: String?
  @Option(help: .setting(.headerBytes)) public var headerBytes: String?
  @Option(help: .setting(.headerSeconds)) public var headerSeconds: String?
  @Option(help: .setting(.bodySeconds)) public var bodySeconds: String?
  @Option(help: .setting(.idleSeconds)) public var idleSeconds: String?
  @Option(help: .setting(.shutdownSeconds)) public var shutdownSeconds: String?
  @Option(help: .setting(.maxConnections)) public var maxConnections: String?
  @Option(help: .setting(.connectionsPerAddress)) public var connectionsPerAddress: String?
  @Option(help: .setting(.requestsInProgress)) public var requestsInProgress: String?
  @Option(help: .setting(.addressRate)) public var addressRate: String?
  @Option(help: .setting(.addressBurst)) public var addressBurst: String?
  @Option(help: .setting(.walletRate)) public var walletRate: String?
  @Option(help: .setting(.walletBurst)) public var walletBurst: String?
  @Option(help: .setting(.registrationRate)) public var registrationRate: String?
  @Option(help: .setting(.registrationBurst)) public var registrationBurst: String?
  @Option(help: .setting(.enrolRate)) public var enrolRate: String?
  @Option(help: .setting(.enrolBurst)) public var enrolBurst: String?
  @Option(help: .setting(.limitEntries)) public var limitEntries: String?
  @Option(help: .setting(.proxyHeader)) public var proxyHeader: String?
  @Option(help: .setting(.trustedProxies)) public var trustedProxies: String?

  public init() {}
}
