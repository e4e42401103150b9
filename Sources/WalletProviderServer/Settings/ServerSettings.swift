import WalletAttempts
public import Logging
public import WalletProvider

/// All settings of a server process.
public struct ServerSettings: Sendable, Equatable {
  /// The data directory.
  public var data = "./wallet-provider-data"
  /// The database to use instead of the one in the data directory.
  public var database: DatabaseURL?
  /// The number of connections to `database`, 1 to 200.
  public var databaseConnections = 8
  /// The address to listen on.
  public var host = "127.0.0.1"
  /// 0 takes a free port.
  public var port = 8740
  /// PEM file of the certificate chain.
  public var tlsCertificate: String?
  /// The PEM file of the certificate's key; set if and only if `tlsCertificate` is.
  public var tlsKey: String?
  /// Whether a proxy that terminates TLS is in front of the server. Without one, the server offers
  /// plain HTTP only to this machine.
  public var behindProxy = false
  /// The header in which that proxy gives the address of its client.
  public var proxyHeader = ProxyHeader.xForwardedFor
  /// The addresses of the proxies whose header is believed.
  public var trustedProxies = AddressRange.loopback
  /// Limits for clients.
  public var limits = LimitSettings()
  /// The port of `/metrics`, 0 for a free one; nil for none.
  public var metricsPort: Int?
  /// The address of `/metrics`. It is plain HTTP, because the metrics contain nothing personal.
  public var metricsHost = "127.0.0.1"
  /// The lowest level that is logged.
  public var logLevel = Logger.Level.info
  /// The format of the log.
  public var logFormat = LogFormat.text
  /// The provider's limits and time-outs.
  public var provider = ProviderSettings()
  /// The verdict of every vetting, without any real check; nil to check for real.
  public var simulatedVerdict: SimulatedVerdict?
  /// The file with the documents that an authoritative source confirms; nil if no source confirms
  /// any.
  public var authoritativeSource: String?
  /// The file with the authorities that wallets trust; nil if they trust none.
  public var trustAnchors: String?
  /// The URL of the provider, if it is given; `provider.publicURL` is the one that counts.
  var publicURL: String?
  /// The type of PIDs, if it is given; `provider.pidType` is the one that counts.
  var pidType: String?
  /// Whether anyone may make an account at `/enrol`.
  public var enrolPage = false
  /// The URL of an evaluator on another machine; nil for one in the data directory.
  public var evaluatorURL: String?
  // The files of the connection to it; set if and only if `evaluatorURL` is.
  var evaluatorCertificate: String?
  var evaluatorKey: String?
  var evaluatorAuthority: String?
  /// PEM file of the authority that the clients of an evaluator have their certificates from.
  public var clientAuthority: String?

  // The parts of `provider.attemptPolicy`, which is made of them once all have been read.
  var attemptRounds = AttemptPolicy.standard.rounds
  var attemptsPerRound = AttemptPolicy.standard.attemptsPerRound
  var blockDurations = AttemptPolicy.standard.blockDurations
  var failuresPerMonth = AttemptPolicy.standard.failuresPerMonth

  /// The defaults.
  static let standard = ServerSettings()

  /// The defaults of `evaluate`. Its clients show certificates, so their addresses are not counted.
  static let evaluator = {
    var settings = ServerSettings()
    settings.data = "./wallet-evaluator-data"
    settings.port = 8741
    settings.limits.address.perMinute = 0
    settings.limits.connectionsPerAddress = 0
    return settings
  }()
}

extension ServerSettings {
  /// Reads the settings from options and environment; settings that neither gives have their
  /// defaults.
  ///
  /// - Parameters:
  ///   - options: the options of the command line.
  ///   - environment: the whole environment; only `WALLET_PROVIDER_` variables are read.
  /// - Throws: `SettingsError` that names the option and the variable.
  public init(
    options: [SettingName: String] = [:], environment: [String: String] = [:]
  ) throws(SettingsError) {
    try self.init(SettingSources(options: options, environment: environment))
  }

  /// Reads the settings from options, this process's environment and the configuration file.
  ///
  /// - Parameter config: the value of `--config`.
  /// - Throws: `SettingsError`, which ends the process with EX_USAGE (64) and the reason;
  ///   `FileProblem` for an unusable configuration file.
  public static func read(
    options: [SettingName: String], config: String?
  ) throws -> ServerSettings {
    try SettingSources.read(options: options, config: config).settings
  }

  init(
    _ sources: SettingSources, standard: ServerSettings = .standard
  ) throws(SettingsError) {
    self = standard
    for name in SettingName.allCases {
      if let given = sources.given(name) { try take(given) }
    }
    if sources.given(.proofingHosts) == nil {
      // Behind a proxy, clients do not reach the server by a loopback address.
      provider.proofingHosts = behindProxy && isLoopback ? [] : Self.ownHosts(host)
    }
    try sources.checkTogether(.tlsCertificate, .tlsKey)
    try sources.checkTogether(
      .evaluatorURL, .evaluatorCertificate, .evaluatorKey, .evaluatorAuthority)
    if sources.given(.clientAuthority) != nil {
      try sources.checkTogether(.clientAuthority, .tlsCertificate)
    }
    try sources.naming([.host]) { () throws(SettingsError) in try checkListening() }
    try sources.naming([.enrolPage]) { () throws(SettingsError) in try checkEnrolPage() }
    let attempts: [SettingName] = [
      .attemptRounds, .attemptsPerRound, .blockSeconds, .failuresPerMonth,
    ]
    provider.attemptPolicy = try sources.naming(attempts) { () throws(SettingsError) in
      do throws(AttemptPolicyError) {
        return try AttemptPolicy(
          rounds: attemptRounds, attemptsPerRound: attemptsPerRound,
          blockDurations: blockDurations, failuresPerMonth: failuresPerMonth)
      } catch { throw SettingsError(error.description) }
    }
    try sources.naming([.pidType]) { () throws(SettingsError) in try nameIssuer() }
    try sources.naming(.proofing) { () throws(SettingsError) in try provider.proofing.validate() }
    try sources.naming(.clients) { () throws(SettingsError) in try provider.validate() }
  }

  /// The TLS files; nil for plain HTTP.
  public var tls: TLSFiles? {
    guard let tlsCertificate, let tlsKey else { return nil }
    return TLSFiles(certificate: tlsCertificate, key: tlsKey)
  }

  /// The limits of a process with these settings.
  public func requestLimits() -> RequestLimits {
    RequestLimits(
      limits, proxyHeader: behindProxy ? proxyHeader : nil, trustedProxies: trustedProxies)
  }

  /// Notes on a proxy whose header is not believed, for the log and the check.
  public var proxyNotes: [Finding] {
    guard behindProxy, !isLoopback, trustedProxies == AddressRange.loopback else { return [] }
    return [
      Finding(
        .note, "proxy",
        "a proxy on another machine counts as one client: \(SettingName.trustedProxies.rawValue)"
          + " names only this machine")
    ]
  }

  /// The server's URL at `port`; an IPv6 address is put in brackets.
  public func url(port: Int) -> String {
    "\(tls == nil ? "http" : "https")://\(Self.authority(host, port: port))"
  }

  static func authority(_ host: String, port: Int) -> String {
    "\(host.contains(":") ? "[\(host)]" : host):\(port)"
  }

  private mutating func take(_ given: GivenSetting) throws(SettingsError) {
    let value = given.name.setting.value
    guard value.mayBeEmpty || !given.text.isEmpty else {
      throw given.refusal(SettingValue.notEmpty)
    }
    guard value.read(&self, given.text) else { throw given.refusal(value.wanted) }
  }

  /// The host that the server listens on, if clients can reach the server by that name; otherwise
  /// none.
  private static func ownHosts(_ host: String) -> [String] {
    ["0.0.0.0", "::"].contains(host) || !ProviderSettings.isHostName(host) ? [] : [host]
  }

  /// Whether other machines can reach the server only through a proxy on this one.
  var isLoopback: Bool { host == "localhost" || LoopbackAddress.isLiteral(host) }

  private func checkListening() throws(SettingsError) {
    guard isLoopback || tls != nil || behindProxy else {
      let (tls, proxy) = (SettingName.tlsCertificate, SettingName.behindProxy)
      throw SettingsError(
        "--host \(host.prefix(60)) would speak plain HTTP to other machines; set \(tls.option) and"
          + " \(SettingName.tlsKey.option), or \(proxy.option) if a TLS terminator is in front"
      )
    }
  }
}
