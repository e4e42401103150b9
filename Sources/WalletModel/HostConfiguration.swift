/// The part of the configuration that hosts see.
public struct HostConfiguration: Equatable, Sendable {
  /// The version of the configuration.
  public var version: UInt64
  public var inactiveTimeoutMilliseconds: UInt64
  public var inactiveWarningMilliseconds: UInt64
  public var backgroundTimeoutMilliseconds: UInt64
  public var proofingHosts: [String]

  public init(
    version: UInt64, inactiveTimeoutMilliseconds: UInt64, inactiveWarningMilliseconds: UInt64,
    backgroundTimeoutMilliseconds: UInt64, proofingHosts: [String]
  ) {
    self.version = version
    self.inactiveTimeoutMilliseconds = inactiveTimeoutMilliseconds
    self.inactiveWarningMilliseconds = inactiveWarningMilliseconds
    self.backgroundTimeoutMilliseconds = backgroundTimeoutMilliseconds
    self.proofingHosts = proofingHosts
  }
}
