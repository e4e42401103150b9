import WalletProvider

/// The sections of settings in help, samples and documentation, in the order in which an operator
/// needs them.
package enum SettingSection: String, CaseIterable, Sendable {
  case server = "Server"
  case log = "Log"
  case metrics = "Metrics"
  case clients = "Apps"
  case attempts = "PIN attempts and registrations"
  case evaluator = "Evaluator on another machine"
  case proofing = "Identity proofing"
  case limits = "Limits"
}

/// The description of one setting.
///
/// A new setting needs a case of `SettingName`, a row of `SettingName.setting`, the member of
/// `ServerSettings` that the row names, and a property in one of the groups of `SettingOptions`.
struct Setting: Sendable {
  let section: SettingSection
  let value: SettingValue
  /// One or two sentences for the operator.
  let summary: String
  /// A description of the default if it is not a fixed value.
  let standard: String?

  init(
    _ section: SettingSection, _ value: SettingValue, _ summary: String, standard: String? = nil
  ) {
    self.section = section
    self.value = value
    self.summary = summary
    self.standard = standard
  }

  /// The default value; nil if there is none.
  var standardText: String? { standardText(of: .standard) }

  /// The value in `settings`; nil if there is none.
  func standardText(of settings: ServerSettings) -> String? { value.write(settings) }
}

extension SettingName {
  /// The table of all settings.
  var setting: Setting {
    switch self {
    case .data: Setting(.server, .text(\.data), "Directory of keys, configuration and database.")
    case .database:
      Setting(
        .server, .database(\.database),
        "URL of a PostgreSQL database to use instead of the one in the directory. Put a password into"
          + " the variable or the file: every user of the machine can read options.",
        standard: "SQLite in the directory")
    case .databaseConnections:
      Setting(.server, .whole(\.databaseConnections, 1...200), "Connections to that database.")
    case .host: Setting(.server, .text(\.host), "Address to listen on.")
    case .port:
      Setting(.server, .whole(\.port, 0...65_535), "Port to listen on; 0 takes a free one.")
    case .tlsCertificate:
      Setting(
        .server, .optional(\.tlsCertificate, like: "server.pem"),
        "PEM file of the server's certificate and its intermediate certificates.")
    case .tlsKey:
      Setting(
        .server, .optional(\.tlsKey, like: "server.key"),
        "PEM file of the certificate's key, which only its owner may read.")
    case .behindProxy:
      Setting(
        .server, .flag(\.behindProxy),
        "A TLS terminator is in front of the server: serve plain HTTP on any address.")

    case .publicURL:
      Setting(
        .server, .publicURL(\.publicURL, like: "https://wallet.example.org"),
        "Where the world reaches the server, and so its name as an issuer, in its certificates too.",
        standard: "the address that it listens on, or the first of proofing-hosts")

    case .logLevel: Setting(.log, .choice(\.logLevel), "Lowest level that is logged.")
    case .logFormat:
      Setting(
        .log, .choice(\.logFormat), "How the log is written: lines for people, or JSON lines.")

    case .attemptRounds:
      Setting(
        .attempts, .whole(\.attemptRounds, 1...100),
        "Rounds of PIN attempts; after the last one a wallet is blocked permanently.")
    case .attemptsPerRound:
      Setting(.attempts, .whole(\.attemptsPerRound, 2...100), "Wrong PINs per round.")
    case .blockSeconds:
      Setting(.attempts, .secondsList(\.blockDurations), "Blocks after each round but the last.")
    case .failuresPerMonth:
      Setting(
        .attempts, .whole(\.failuresPerMonth, 2...1_000_000),
        "Wrong PINs in any 30 days, right ones in between or not; the last one blocks a wallet"
          + " permanently.")
    case .challengeSeconds:
      Setting(
        .attempts, .seconds(\.provider.challengeLife, 1...3_600),
        "How long a challenge may be used and its answer repeated.")
    case .unconfirmedSeconds:
      Setting(
        .attempts, .seconds(\.provider.unconfirmedLife, 60...),
        "How long a registration waits for its confirmation.")

    case .evaluatorURL:
      Setting(
        .evaluator, .httpsURL(\.evaluatorURL, like: "https://evaluator.example.org:8741"),
        "Where the evaluator runs. Without it the server has one of its own in its directory.")
    case .evaluatorCertificate:
      Setting(
        .evaluator, .optional(\.evaluatorCertificate, like: "client.pem"),
        "PEM file of the certificate that the server shows to the evaluator.")
    case .evaluatorKey:
      Setting(
        .evaluator, .optional(\.evaluatorKey, like: "client.key"),
        "PEM file of that certificate's key, which only its owner may read.")
    case .evaluatorAuthority:
      Setting(
        .evaluator, .optional(\.evaluatorAuthority, like: "evaluator-authority.pem"),
        "PEM file of the only authority that the evaluator's certificate may come from.")
    case .clientAuthority:
      Setting(
        .evaluator, .optional(\.clientAuthority, like: "client-authority.pem"),
        "For evaluate: PEM file of the only authority that the certificates of providers may come"
          + " from.")

    case .proofingHosts:
      Setting(
        .clients, .list(\.provider.proofingHosts, like: "wallet.example.org"),
        "For apps: hosts of universal links and codes; links name the first.",
        standard: "the name in host, if clients can use it")
    case .trustAnchors:
      Setting(
        .clients, .optional(\.trustAnchors, like: "trust-anchors.json"),
        "For apps: JSON file of the authorities that they trust, by role.")
    case .configurationSeconds:
      Setting(
        .clients, .seconds(\.provider.configurationValidity, 3_600...604_800),
        "How long apps may send PINs under a configuration without fetching it again.")
    case .inactiveSeconds:
      Setting(
        .clients, .seconds(\.provider.inactiveTimeout, 10...86_400),
        "For apps: lock after this much inactivity.")
    case .warningSeconds:
      Setting(
        .clients, .seconds(\.provider.inactiveWarning, 1...86_400),
        "For apps: warn after this much inactivity.")
    case .backgroundSeconds:
      Setting(
        .clients, .seconds(\.provider.backgroundTimeout, 1...86_400),
        "For apps: lock after this much time in the background.")
    case .pinMemoryMebibytes:
      Setting(
        .clients, .mebibytes(\.provider.pinKeyMemoryBytes, 64...256),
        "Argon2id memory of PIN keys. Wallets that use less switch with their next right PIN.")
    case .pinPasses:
      Setting(.clients, .whole(\.provider.pinKeyPasses, 3...10), "Argon2id passes of PIN keys.")

    case .codeSeconds:
      Setting(
        .proofing, .seconds(\.provider.proofing.codeLife, 60...),
        "Life of an unclaimed enrolment code.")
    case .sessionSeconds:
      Setting(
        .proofing, .seconds(\.provider.proofing.sessionLife, 60...),
        "Life of a claim until its verdict; at least the life of a code.")
    case .pendingSeconds:
      Setting(
        .proofing, .seconds(\.provider.proofing.pendingLife, 60...),
        "Life of a proofing that waits for a decision; at least that of a claim.")
    case .issuanceSeconds:
      Setting(
        .proofing, .seconds(\.provider.proofing.issuanceLife, 60...),
        "How long after the verdict the PID may be fetched, and then fetched again.")
    case .replacementSeconds:
      Setting(
        .proofing, .seconds(\.provider.proofing.replacementWait, 0...),
        "How long a proofed wallet may object before another takes its place. Less than 3600 only for"
          + " demonstrations.")
    case .licenceAttempts:
      Setting(
        .proofing, .whole(\.provider.proofing.attempts, 1...100),
        "How often a licence may fail for an account, over all its codes.")
    case .exhaustedSeconds:
      Setting(
        .proofing, .seconds(\.provider.proofing.exhaustedPause, 0...),
        "How long an account accepts no code after that, and how long failures count for a new code."
      )
    case .licenceKinds:
      Setting(.proofing, .choices(\.provider.proofing.kinds), "Documents that are accepted.")
    case .licenceCountries:
      Setting(
        .proofing, .choices(\.provider.proofing.countries),
        "Countries whose documents are accepted.")
    case .minimumAge:
      Setting(
        .proofing, .whole(\.provider.proofing.minimumAge, 0...120),
        "Age in full years from which people are accepted.")
    case .issuingAuthority:
      Setting(
        .proofing, .text(\.provider.proofing.issuingAuthority), "Who PIDs name as their issuer.")
    case .issuingCountry:
      Setting(
        .proofing, .text(\.provider.proofing.issuingCountry),
        "The issuer's country in PIDs, ISO 3166-1 alpha-2. ZZ states none, for demonstrations only."
      )
    case .statusListSeconds:
      Setting(
        .proofing, .seconds(\.provider.proofing.statusLists.timeToLive, 60...86_400),
        "How often the lists of revoked PIDs are made anew. The latest that verifiers hear of a"
          + " revocation is three times this.")
    case .statusListEntries:
      Setting(
        .proofing,
        .whole(
          \.provider.proofing.statusLists.entries,
          StatusListSettings.leastEntries...StatusListSettings.mostEntries),
        "Entries of a new list of revoked PIDs, of which half are used.")
    case .pidType:
      Setting(
        .proofing, .optional(\.pidType, like: "urn:example:pid:1"),
        "The type of PIDs (vct).",
        standard: "/types/pid/1 below an https public-url, else \(PIDType.standard)")
    case .simulatedVerdict:
      Setting(
        .proofing, .optionalChoice(\.simulatedVerdict),
        "Verdict that vetting returns in every case, for rehearsals.")
    case .authoritativeSource:
      Setting(
        .proofing, .optional(\.authoritativeSource, like: "source.json"),
        "JSON file of documents that issuing sources confirm. Without it nobody is proofed, except with"
          + " demonstration.")
    case .demonstration:
      Setting(
        .proofing, .flag(\.provider.proofing.demonstration),
        "Proof people by what their wallets claim, where no authoritative source answers. For"
          + " demonstrations only; PIDs and pages say so.")
    case .enrolPage:
      Setting(
        .proofing, .flag(\.enrolPage),
        "Let anybody make an account at /enrol. For demonstrations only.")

    case .bodyBytes:
      limit(.whole(\.limits.bodyBytes, 1024...(16 * 1024 * 1024)), "The longest body that is read.")
    case .headerBytes:
      limit(
        .whole(\.limits.headerBytes, 1024...(1024 * 1024)),
        "The longest request line with all headers.")
    case .headerSeconds:
      limit(.whole(\.limits.headerSeconds, 1...3600), "Time for the head of a request.")
    case .bodySeconds:
      limit(
        .whole(\.limits.bodySeconds, 1...3600),
        "Time from the head of a request to the end of its body.")
    case .idleSeconds:
      limit(
        .whole(\.limits.idleSeconds, 1...3600),
        "How long a connection may wait for its next request, or read nothing of an answer.")
    case .shutdownSeconds:
      limit(
        .whole(\.limits.shutdownSeconds, 1...3600), "Time for requests in progress after SIGTERM.")
    case .maxConnections:
      limit(.whole(\.limits.connections, 1...1_000_000), "Maximum number of connections.")
    case .connectionsPerAddress:
      limit(
        .whole(\.limits.connectionsPerAddress, 0...1_000_000),
        "Connections from one address, unless it is a trusted proxy; 0 is no limit.")
    case .requestsInProgress:
      limit(
        .whole(\.limits.requestsInProgress, 1...100_000), "Requests that are worked on at once.")
    case .addressRate:
      limit(
        .whole(\.limits.address.perMinute, 0...RateLimit.fastest),
        "Requests of one address per minute; 0 is no limit.")
    case .addressBurst:
      limit(
        .whole(\.limits.address.burst, 1...RateLimit.fastest),
        "Requests of one address at once after a pause.")
    case .walletRate:
      limit(
        .whole(\.limits.wallet.perMinute, 0...RateLimit.fastest),
        "Challenges of one wallet per minute, and as many other instructions; 0 is no limit.")
    case .walletBurst:
      limit(
        .whole(\.limits.wallet.burst, 1...RateLimit.fastest),
        "Challenges of one wallet at once after a pause, and as many other instructions.")
    case .registrationRate:
      limit(
        .whole(\.limits.registration.perMinute, 0...RateLimit.fastest),
        "Registrations of one address per minute; 0 is no limit.")
    case .registrationBurst:
      limit(
        .whole(\.limits.registration.burst, 1...RateLimit.fastest),
        "Registrations of one address at once after a pause.")
    case .enrolRate:
      limit(
        .whole(\.limits.enrolment.perMinute, 0...RateLimit.fastest),
        "Forms of one address to /enrol per minute; 0 is no limit.")
    case .enrolBurst:
      limit(
        .whole(\.limits.enrolment.burst, 1...RateLimit.fastest),
        "Forms of one address to /enrol at once after a pause.")
    case .limitEntries:
      limit(
        .whole(\.limits.entries, 1000...100_000_000),
        "Number of addresses to remember, and of wallets.")
    case .proxyHeader:
      limit(.choice(\.proxyHeader), "Header in which a proxy names its client.")
    case .trustedProxies:
      limit(
        .addresses(\.trustedProxies),
        "Proxies whose header is believed: addresses or networks like 10.0.0.0/8.")

    case .metricsPort:
      Setting(
        .metrics, .optionalWhole(\.metricsPort, 0...65_535, like: 9740),
        "Port of /metrics; 0 takes a free one.")
    case .metricsHost:
      Setting(.metrics, .text(\.metricsHost), "Address of /metrics, which is plain HTTP.")
    }
  }

  private func limit(_ value: SettingValue, _ summary: String) -> Setting {
    Setting(.limits, value, summary)
  }
}
