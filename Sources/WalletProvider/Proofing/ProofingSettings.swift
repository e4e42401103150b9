public import WalletProtocol

/// The limits and durations of identity proofing. All durations are milliseconds.
public struct ProofingSettings: Sendable, Equatable {
  /// How long an enrolment code can be claimed; 1 minute to 366 days.
  public var codeLife: Int64 = 15 * 60_000
  /// How long a claim may take until its verdict; at least `codeLife`.
  public var sessionLife: Int64 = 60 * 60_000
  /// How long a proofing may wait for a person's decision; at least `sessionLife`.
  public var pendingLife: Int64 = 30 * 24 * 3_600_000
  /// How long after the verdict the PID can be fetched, and after that again; 1 minute to 366 days.
  public var issuanceLife: Int64 = 24 * 3_600_000
  /// How long another wallet has to wait before it takes the place of the wallet that is proofed
  /// for an account, so that the owner can object; 0 to 366 days. Less than `leastReplacementWait`
  /// only for a demonstration.
  public var replacementWait: Int64 = 24 * 3_600_000
  /// How often evidence may fail per enrolment code; 1 to 100.
  public var attempts = 5
  /// How long an account accepts no code after its attempts are used up; 0 to 366 days.
  public var exhaustedPause: Int64 = 15 * 60_000
  /// If this many claims of one wallet were refused within `refusedClaimWindow`, its further claims
  /// are not evaluated.
  public var refusedClaims = 5
  /// How long a refused claim counts.
  public var refusedClaimWindow: Int64 = 15 * 60_000
  /// After what time wallets are told to ask again while a person decides.
  public var pendingRetry: Int64 = 5_000
  /// How long one vetting may take, in real time. After that the source counts as not responding.
  public var vettingDeadline: Int64 = 10_000
  /// After what time wallets are told to ask again while the issuing source does not respond.
  public var sourceRetry: Int64 = 60_000
  /// Whether a person is proofed without an authoritative source, only by what a wallet claims.
  /// PIDs and pages then say so.
  public var demonstration = false
  /// The accepted documents; at least one.
  public var kinds = LicenceKind.allCases
  /// The countries whose documents are accepted; at least one.
  public var countries: [LicenceCountry] = [.unitedStates, .canada]
  /// In full years, 0 to `maximumAge`.
  public var minimumAge = 18
  /// In full years, at most 150.
  public var maximumAge = 120
  /// The issuing authority in PIDs, and the organization in certificates; 1 to 64 characters, the
  /// most that these may have (RFC 5280 appendix A.1).
  public var issuingAuthority = "wallet-provider"
  /// ISO 3166-1 alpha-2. ZZ means that none is stated, which `checkCountry` limits.
  public var issuingCountry = "ZZ"

  /// The status lists of the PIDs.
  public var statusLists = StatusListSettings()

  /// The shortest `replacementWait` of a provider for real people.
  public static let leastReplacementWait: Int64 = 3_600_000

  public init() {}

  /// - Throws: `SettingsError` for the first value out of range.
  public func validate() throws(SettingsError) {
    try check("life of a code", codeLife, 60_000)
    try check("life of a proofing session", sessionLife, codeLife)
    try check("life of a pending proofing", pendingLife, sessionLife)
    try check("time to fetch a PID", issuanceLife, 60_000)
    try check("wait of a wallet that replaces another", replacementWait, 0)
    guard demonstration || replacementWait >= Self.leastReplacementWait else {
      throw SettingsError(
        "a wallet must wait at least \(Self.leastReplacementWait / 1000) seconds before it replaces"
          + " another, except in a demonstration")
    }
    try check("pause after spent attempts", exhaustedPause, 0)
    try check("window of refused claims", refusedClaimWindow, 1_000)
    try check("time for a vetting", vettingDeadline, 1)
    try check("wait for a decision", pendingRetry, 0)
    try check("wait for an issuing source", sourceRetry, 0)
    guard (1...100).contains(attempts), (1...1000).contains(refusedClaims) else {
      throw SettingsError("the licence attempts must be 1 to 100, the refused claims 1 to 1000")
    }
    guard !kinds.isEmpty, !countries.isEmpty else {
      throw SettingsError("at least one kind of licence and one country must be accepted")
    }
    guard minimumAge >= 0, minimumAge <= maximumAge, maximumAge <= 150 else {
      throw SettingsError("the ages must be 0 to 150, the minimum not above the maximum")
    }
    guard (1...64).contains(issuingAuthority.unicodeScalars.count),
      issuingAuthority.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
    else { throw SettingsError("the issuing authority must be a name of 1 to 64 characters") }
    guard issuingCountry == CountryCode.none || CountryCode.isCountry(issuingCountry) else {
      throw SettingsError(
        "the issuing country must be a code of ISO 3166-1 in two capital letters, such as NL")
    }
    try statusLists.validate()
  }

  /// - Throws: `SettingsError` if real people would get PIDs that state no country.
  public func checkCountry() throws(SettingsError) {
    guard demonstration || issuingCountry != CountryCode.none else {
      throw SettingsError(
        "PIDs must state the country of their issuer: set issuing-country to its code of ISO 3166-1;"
          + " only a demonstration may do without")
    }
  }

  private func check(
    _ name: String, _ value: Int64, _ lowest: Int64
  ) throws(SettingsError) {
    guard value >= lowest, value <= ProviderSettings.longestDuration else {
      throw SettingsError(
        "the \(name) must be \(lowest / 1000) to \(ProviderSettings.longestDuration / 1000) seconds,"
          + " not \(Double(value) / 1000)")
    }
  }
}
