public import Logging
public import WalletProvider

/// The settings by name. Each is an option of the command line and a variable of the environment; an
/// option wins.
public enum SettingName: String, CaseIterable, Sendable {
  case data, host, port
  case tlsCertificate = "tls-certificate"
  case tlsKey = "tls-key"
  case behindProxy = "behind-proxy"
  case logLevel = "log-level"
  case attemptRounds = "attempt-rounds"
  case attemptsPerRound = "attempts-per-round"
  case blockSeconds = "block-seconds"
  case challengeSeconds = "challenge-seconds"
  case unconfirmedSeconds = "unconfirmed-seconds"
  case inactiveSeconds = "inactive-seconds"
  case warningSeconds = "warning-seconds"
  case backgroundSeconds = "background-seconds"
  case proofingHosts = "proofing-hosts"
  case codeSeconds = "code-seconds"
  case sessionSeconds = "session-seconds"
  case pendingSeconds = "pending-seconds"
  case issuanceSeconds = "issuance-seconds"
  case licenceAttempts = "licence-attempts"
  case exhaustedSeconds = "exhausted-seconds"
  case licenceKinds = "licence-kinds"
  case licenceCountries = "licence-countries"
  case minimumAge = "minimum-age"
  case issuingAuthority = "issuing-authority"
  case issuingCountry = "issuing-country"
  case vettingDrill = "vetting-drill"
  case authoritativeSource = "authoritative-source"
  case enrolPage = "enrol-page"

  /// `--` and the raw value.
  public var option: String { "--" + rawValue }

  /// `WALLET_PROVIDER_` and the raw value in capitals with underscores.
  public var environmentVariable: String {
    "WALLET_PROVIDER_" + rawValue.uppercased().split(separator: "-").joined(separator: "_")
  }
}

/// All that a server process is told from outside.
public struct ServerSettings: Sendable, Equatable {
  /// The data directory.
  public var data = "./wallet-provider-data"
  /// The address to listen on.
  public var host = "127.0.0.1"
  /// 0 takes a free port.
  public var port = 8740
  /// Nil speaks plain HTTP.
  public var tls: TLSFiles?
  /// Whether a TLS terminator stands in front; without one plain HTTP stays on this machine.
  public var behindProxy = false
  /// What the log leaves out is below this.
  public var logLevel = Logger.Level.info
  /// Limits and time-outs.
  public var provider = ProviderSettings()
  /// What vetting answers instead of vetting; nil vets.
  public var vettingDrill: VettingDrill?
  /// The file of an authoritative source; nil covers no issuer.
  public var authoritativeSource: String?
  /// Whether anybody may make an account at `/enrol`.
  public var enrolPage = false

  /// Where the server is reached at `port`; an IPv6 address stands in brackets.
  public func url(port: Int) -> String {
    "\(tls == nil ? "http" : "https")://\(host.contains(":") ? "[\(host)]" : host):\(port)"
  }

  /// The settings from options and environment; what neither names has its default.
  ///
  /// - Parameters:
  ///   - options: from the command line.
  ///   - environment: the whole environment; only `WALLET_PROVIDER_` names are looked at.
  /// - Throws: `SettingsError` that names the option and the variable.
  public init(
    options: [SettingName: String] = [:], environment: [String: String] = [:]
  ) throws(SettingsError) {
    let values = SettingValues(options: options, environment: environment)
    data = try values.text(.data) ?? data
    host = try values.text(.host) ?? host
    port = Int(try values.whole(.port, 0...65_535) ?? Int64(port))
    tls = try values.tlsFiles()
    behindProxy = try values.flag(.behindProxy) ?? behindProxy
    try checkListening()
    logLevel = try values.logLevel() ?? logLevel

    let standard = AttemptPolicy.standard
    provider.attemptPolicy = try AttemptPolicy(
      rounds: Int(try values.whole(.attemptRounds, 1...100) ?? Int64(standard.rounds)),
      attemptsPerRound: Int(
        try values.whole(.attemptsPerRound, 2...100) ?? Int64(standard.attemptsPerRound)),
      blockDurations: try values.durations(.blockSeconds) ?? standard.blockDurations)
    provider.challengeLife = try values.duration(.challengeSeconds) ?? provider.challengeLife
    provider.unconfirmedLife = try values.duration(.unconfirmedSeconds) ?? provider.unconfirmedLife
    provider.inactiveTimeout = try values.duration(.inactiveSeconds) ?? provider.inactiveTimeout
    provider.inactiveWarning = try values.duration(.warningSeconds) ?? provider.inactiveWarning
    provider.backgroundTimeout =
      try values.duration(.backgroundSeconds) ?? provider.backgroundTimeout
    provider.proofingHosts = try values.list(.proofingHosts) ?? Self.ownHosts(host)
    try readProofing(values)
    try provider.validate()
  }

  private mutating func readProofing(_ values: SettingValues) throws(SettingsError) {
    var proofing = ProofingSettings()
    proofing.codeLife = try values.duration(.codeSeconds) ?? proofing.codeLife
    proofing.sessionLife = try values.duration(.sessionSeconds) ?? proofing.sessionLife
    proofing.pendingLife = try values.duration(.pendingSeconds) ?? proofing.pendingLife
    proofing.issuanceLife = try values.duration(.issuanceSeconds) ?? proofing.issuanceLife
    proofing.attempts = Int(
      try values.whole(.licenceAttempts, 1...100) ?? Int64(proofing.attempts))
    proofing.exhaustedPause = try values.duration(.exhaustedSeconds) ?? proofing.exhaustedPause
    proofing.kinds = try values.choices(.licenceKinds) ?? proofing.kinds
    proofing.countries = try values.choices(.licenceCountries) ?? proofing.countries
    proofing.minimumAge = Int(
      try values.whole(.minimumAge, 0...120) ?? Int64(proofing.minimumAge))
    proofing.issuingAuthority = try values.text(.issuingAuthority) ?? proofing.issuingAuthority
    proofing.issuingCountry = try values.text(.issuingCountry) ?? proofing.issuingCountry
    provider.proofing = proofing
    vettingDrill = try values.choice(.vettingDrill)
    authoritativeSource = try values.text(.authoritativeSource)
    enrolPage = try values.flag(.enrolPage) ?? enrolPage
  }

  /// The host that the server listens on, where clients could know it by that name.
  private static func ownHosts(_ host: String) -> [String] {
    ["0.0.0.0", "::"].contains(host) || !ProviderSettings.isHostName(host) ? [] : [host]
  }

  private func checkListening() throws(SettingsError) {
    let isLoopback = host == "localhost" || LoopbackAddress.isLiteral(host)
    guard isLoopback || tls != nil || behindProxy else {
      let (tls, proxy) = (SettingName.tlsCertificate, SettingName.behindProxy)
      throw SettingsError(
        "--host \(host.prefix(60)) would speak plain HTTP to other machines; set \(tls.option) and"
          + " \(SettingName.tlsKey.option), or \(proxy.option) when a TLS terminator stands in front"
      )
    }
  }
}

private struct SettingValues {
  let options: [SettingName: String]
  let environment: [String: String]

  func text(_ name: SettingName) throws(SettingsError) -> String? {
    guard let text = options[name] ?? environment[name.environmentVariable] else { return nil }
    guard !text.isEmpty else { throw refusal(name, text, "not empty") }
    return text
  }

  func whole(_ name: SettingName, _ range: ClosedRange<Int64>) throws(SettingsError) -> Int64? {
    guard let text = try text(name) else { return nil }
    guard let number = Int64(text), range.contains(number) else {
      throw refusal(name, text, "a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  func flag(_ name: SettingName) throws(SettingsError) -> Bool? {
    guard let text = try text(name) else { return nil }
    guard let flag = Bool(text) else { throw refusal(name, text, "true or false") }
    return flag
  }

  func tlsFiles() throws(SettingsError) -> TLSFiles? {
    let (certificate, key) = (try text(.tlsCertificate), try text(.tlsKey))
    if certificate == nil && key == nil { return nil }
    guard let certificate, let key else {
      let (given, missing): (SettingName, SettingName) =
        key == nil ? (.tlsCertificate, .tlsKey) : (.tlsKey, .tlsCertificate)
      throw SettingsError(
        "\(given.option) (\(given.environmentVariable)) needs"
          + " \(missing.option) (\(missing.environmentVariable)) beside it")
    }
    return TLSFiles(certificate: certificate, key: key)
  }

  func logLevel() throws(SettingsError) -> Logger.Level? {
    guard let text = try text(.logLevel) else { return nil }
    guard let level = Logger.Level(rawValue: text) else {
      let levels = Logger.Level.allCases.map(\.rawValue).joined(separator: ", ")
      throw refusal(.logLevel, text, "one of \(levels)")
    }
    return level
  }

  /// Milliseconds, of a whole number of seconds.
  func duration(_ name: SettingName) throws(SettingsError) -> Int64? {
    guard let text = try text(name) else { return nil }
    guard let duration = milliseconds(text) else {
      throw refusal(name, text, "a whole number of seconds, at most 366 days")
    }
    return duration
  }

  func list(_ name: SettingName) throws(SettingsError) -> [String]? {
    try text(name)?.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
  }

  /// One of the values of an enumeration.
  func choice<Choice: RawRepresentable<String> & CaseIterable>(
    _ name: SettingName
  ) throws(SettingsError) -> Choice? {
    try text(name).map { text throws(SettingsError) in try choice(name, text) }
  }

  /// Some of them, with commas between.
  func choices<Choice: RawRepresentable<String> & CaseIterable>(
    _ name: SettingName
  ) throws(SettingsError) -> [Choice]? {
    guard let texts = try list(name) else { return nil }
    var choices: [Choice] = []
    for text in texts { choices.append(try choice(name, text)) }
    return choices
  }

  private func choice<Choice: RawRepresentable<String> & CaseIterable>(
    _ name: SettingName, _ text: String
  ) throws(SettingsError) -> Choice {
    guard let choice = Choice(rawValue: text) else {
      let known = Choice.allCases.map(\.rawValue).joined(separator: ", ")
      throw refusal(name, text, "of \(known)")
    }
    return choice
  }

  func durations(_ name: SettingName) throws(SettingsError) -> [Int64]? {
    // One round has no block, so here an empty text says something.
    guard let text = options[name] ?? environment[name.environmentVariable] else { return nil }
    if text.isEmpty { return [] }
    var durations: [Int64] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      guard let duration = milliseconds(part), duration > 0 else {
        throw refusal(name, text, "seconds with commas between, like 60,300,3600")
      }
      durations.append(duration)
    }
    return durations
  }

  private func milliseconds(_ text: some StringProtocol) -> Int64? {
    guard let seconds = Int64(text), (0...ProviderSettings.longestDuration / 1000).contains(seconds)
    else { return nil }
    return seconds * 1000
  }

  private func refusal(_ name: SettingName, _ text: String, _ wanted: String) -> SettingsError {
    SettingsError(
      "\(name.option) (\(name.environmentVariable)) must be \(wanted), not \"\(text.prefix(60))\"")
  }
}
