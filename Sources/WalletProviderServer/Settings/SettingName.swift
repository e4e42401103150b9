/// The names of the settings. Each is a command-line option and an environment variable. If both
/// are given, the option wins. `setting` describes each setting.
public enum SettingName: String, CaseIterable, Sendable {
  case data, database
  case databaseConnections = "database-connections"
  case host, port
  case tlsCertificate = "tls-certificate"
  case tlsKey = "tls-key"
  case behindProxy = "behind-proxy"
  case logLevel = "log-level"
  case logFormat = "log-format"
  case attemptRounds = "attempt-rounds"
  case attemptsPerRound = "attempts-per-round"
  case blockSeconds = "block-seconds"
  case failuresPerMonth = "failures-per-month"
  case evaluatorURL = "evaluator-url"
  case evaluatorCertificate = "evaluator-certificate"
  case evaluatorKey = "evaluator-key"
  case evaluatorAuthority = "evaluator-authority"
  case clientAuthority = "client-authority"
  case challengeSeconds = "challenge-seconds"
  case unconfirmedSeconds = "unconfirmed-seconds"
  case proofingHosts = "proofing-hosts"
  case trustAnchors = "trust-anchors"
  case configurationSeconds = "configuration-seconds"
  case inactiveSeconds = "inactive-seconds"
  case warningSeconds = "warning-seconds"
  case backgroundSeconds = "background-seconds"
  case pinMemoryMebibytes = "pin-memory-mebibytes"
  case pinPasses = "pin-passes"
  case codeSeconds = "code-seconds"
  case sessionSeconds = "session-seconds"
  case pendingSeconds = "pending-seconds"
  case issuanceSeconds = "issuance-seconds"
  case replacementSeconds = "replacement-seconds"
  case licenceAttempts = "licence-attempts"
  case exhaustedSeconds = "exhausted-seconds"
  case licenceKinds = "licence-kinds"
  case licenceCountries = "licence-countries"
  case minimumAge = "minimum-age"
  case issuingAuthority = "issuing-authority"
  case issuingCountry = "issuing-country"
  case simulatedVerdict = "simulated-verdict"
  case authoritativeSource = "authoritative-source"
  case demonstration
  case enrolPage = "enrol-page"
  case bodyBytes = "body-bytes"
  case headerBytes = "header-bytes"
  case headerSeconds = "header-seconds"
  case bodySeconds = "body-seconds"
  case idleSeconds = "idle-seconds"
  case shutdownSeconds = "shutdown-seconds"
  case maxConnections = "max-connections"
  case connectionsPerAddress = "connections-per-address"
  case requestsInProgress = "requests-in-progress"
  case addressRate = "address-rate"
  case addressBurst = "address-burst"
  case walletRate = "wallet-rate"
  case walletBurst = "wallet-burst"
  case registrationRate = "registration-rate"
  case registrationBurst = "registration-burst"
  case enrolRate = "enrol-rate"
  case enrolBurst = "enrol-burst"
  case limitEntries = "limit-entries"
  case proxyHeader = "proxy-header"
  case trustedProxies = "trusted-proxies"
  case metricsPort = "metrics-port"
  case metricsHost = "metrics-host"

  /// `--` and the raw value.
  public var option: String { "--" + rawValue }

  /// `WALLET_PROVIDER_` and the raw value in capitals with underscores.
  public var environmentVariable: String {
    "WALLET_PROVIDER_" + rawValue.uppercased().split(separator: "-").joined(separator: "_")
  }
}
