import WalletProvider

/// What belongs together in help, samples and documentation.
enum SettingSection: String, CaseIterable, Sendable {
  case server = "Server"
  case log = "Log"
  case attempts = "PIN attempts and registrations"
  case clients = "Apps"
  case proofing = "Identity proofing"
}

/// One setting: where it belongs, what it takes, what it is.
///
/// A new one is a case of `SettingName`, a row of `SettingName.setting`, the member of `ServerSettings`
/// that the row names, and a property in `SettingOptions` or one of its groups.
struct Setting: Sendable {
  let section: SettingSection
  let value: SettingValue
  /// One or two sentences for people.
  let summary: String
  /// In words what holds where nothing is said, when no value can say it.
  let standard: String?

  init(
    _ section: SettingSection, _ value: SettingValue, _ summary: String, standard: String? = nil
  ) {
    self.section = section
    self.value = value
    self.summary = summary
    self.standard = standard
  }

  /// The value that holds where nothing is said; nil where there is none.
  var standardText: String? { value.write(ServerSettings.standard) }
}

extension SettingName {
  /// The table of all settings.
  var setting: Setting {
    switch self {
    case .data: Setting(.server, .text(\.data), "Directory of keys, configuration and database.")
    case .database:
      Setting(
        .server, .database(\.database),
        "URL of a PostgreSQL database in place of the one in the directory. Everybody reads a password"
          + " in an option: it belongs into the variable or the file.",
        standard: "SQLite in the directory")
    case .databaseConnections:
      Setting(.server, .whole(\.databaseConnections, 1...200), "Connections to that database.")
    case .host: Setting(.server, .text(\.host), "Address to listen on.")
    case .port:
      Setting(.server, .whole(\.port, 0...65_535), "Port to listen on; 0 takes a free one.")
    case .tlsCertificate:
      Setting(
        .server, .optional(\.tlsCertificate, like: "server.pem"),
        "PEM file: the server's certificate and those between it and its authority.")
    case .tlsKey:
      Setting(
        .server, .optional(\.tlsKey, like: "server.key"),
        "PEM file of the certificate's key, which only its owner may read.")
    case .behindProxy:
      Setting(
        .server, .flag(\.behindProxy),
        "A TLS terminator stands in front: plain HTTP on any address.")

    case .logLevel: Setting(.log, .choice(\.logLevel), "What is below this is left out.")
    case .logFormat:
      Setting(
        .log, .choice(\.logFormat), "How the log is written: lines for people, or JSON lines.")

    case .attemptRounds:
      Setting(
        .attempts, .whole(\.attemptRounds, 1...100),
        "Rounds of PIN attempts; after the last one a wallet is blocked for good.")
    case .attemptsPerRound:
      Setting(.attempts, .whole(\.attemptsPerRound, 2...100), "Wrong PINs per round.")
    case .blockSeconds:
      Setting(.attempts, .secondsList(\.blockDurations), "Blocks after the rounds but the last.")
    case .challengeSeconds:
      Setting(
        .attempts, .seconds(\.provider.challengeLife, 1...3_600),
        "How long a challenge may be used and its answer repeated.")
    case .unconfirmedSeconds:
      Setting(
        .attempts, .seconds(\.provider.unconfirmedLife, 60...),
        "How long a registration waits for its confirmation.")

    case .inactiveSeconds:
      Setting(
        .clients, .seconds(\.provider.inactiveTimeout, 10...86_400),
        "For apps: lock after so much inactivity.")
    case .warningSeconds:
      Setting(
        .clients, .seconds(\.provider.inactiveWarning, 1...86_400),
        "For apps: warn after so much inactivity.")
    case .backgroundSeconds:
      Setting(
        .clients, .seconds(\.provider.backgroundTimeout, 1...86_400),
        "For apps: lock after so much time in the background.")
    case .pinMemoryMebibytes:
      Setting(
        .clients, .mebibytes(\.provider.pinKeyMemoryBytes, 64...256),
        "Argon2id memory of PIN keys. Wallets that use less follow with the next right PIN.")
    case .pinPasses:
      Setting(.clients, .whole(\.provider.pinKeyPasses, 3...10), "Argon2id passes of PIN keys.")
    case .proofingHosts:
      Setting(
        .clients, .list(\.provider.proofingHosts, like: "wallet.example.org"),
        "For apps: hosts of universal links and codes; links name the first.",
        standard: "the name in host, where it is one")

    case .codeSeconds:
      Setting(
        .proofing, .seconds(\.provider.proofing.codeLife, 60...),
        "Life of an enrolment code that nobody claimed.")
    case .sessionSeconds:
      Setting(
        .proofing, .seconds(\.provider.proofing.sessionLife, 60...),
        "Life of a claim without its verdict; not below the life of a code.")
    case .pendingSeconds:
      Setting(
        .proofing, .seconds(\.provider.proofing.pendingLife, 60...),
        "Life of a proofing that waits for a decision; not below that of a claim.")
    case .issuanceSeconds:
      Setting(
        .proofing, .seconds(\.provider.proofing.issuanceLife, 60...),
        "How long after the verdict the PID may be fetched.")
    case .licenceAttempts:
      Setting(
        .proofing, .whole(\.provider.proofing.attempts, 1...100),
        "How often a licence may fail for an account, over all its codes.")
    case .exhaustedSeconds:
      Setting(
        .proofing, .seconds(\.provider.proofing.exhaustedPause, 0...),
        "How long an account takes no code after that, and how long failures count for a new one.")
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
        "The issuer's country in PIDs, ISO 3166-1 alpha-2; ZZ states none.")
    case .vettingDrill:
      Setting(
        .proofing, .optionalChoice(\.vettingDrill),
        "For drills: what vetting answers to everything.")
    case .authoritativeSource:
      Setting(
        .proofing, .optional(\.authoritativeSource, like: "source.json"),
        "JSON file of documents that issuing sources confirm.")
    case .enrolPage:
      Setting(
        .proofing, .flag(\.enrolPage),
        "Let anybody make an account at /enrol. For demonstrations only.")
    }
  }
}
