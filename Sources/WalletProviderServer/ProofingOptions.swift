public import ArgumentParser

/// The options of `serve` that are about the identity proofing.
public struct ProofingOptions: ParsableArguments {
  @Option(help: "Life of an enrolment code that nobody claimed.") public var codeSeconds: String?
  @Option(help: "Life of a claim without its verdict.") public var sessionSeconds: String?
  @Option(help: "Life of a proofing that waits for a decision.") public var pendingSeconds: String?
  @Option(help: "How long after the verdict the PID may be fetched.")
  public var issuanceSeconds: String?
  @Option(help: "How often a licence may fail per code.") public var licenceAttempts: String?
  @Option(help: "How long an account takes no code after that.")
  public var exhaustedSeconds: String?
  @Option(help: "Documents that are accepted, of DL,ID,EN.") public var licenceKinds: String?
  @Option(help: "Countries that are accepted, of USA,CAN,MEX.")
  public var licenceCountries: String?
  @Option(help: "Age from which people are accepted.") public var minimumAge: String?
  @Option(help: "Who PIDs name as their issuer.") public var issuingAuthority: String?
  @Option(help: "The issuer's country in PIDs, two letters.") public var issuingCountry: String?
  @Option(help: "Drill: vetting answers pending, declined or unavailable.")
  public var vettingDrill: String?
  @Option(help: "JSON file of documents that issuing sources confirm.")
  public var authoritativeSource: String?
  @Flag(help: "Let anybody make an account at /enrol. For demonstrations only.")
  public var enrolPage = false

  public init() {}

  var texts: [SettingName: String?] {
    [
      .codeSeconds: codeSeconds, .sessionSeconds: sessionSeconds, .pendingSeconds: pendingSeconds,
      .issuanceSeconds: issuanceSeconds, .licenceAttempts: licenceAttempts,
      .exhaustedSeconds: exhaustedSeconds, .licenceKinds: licenceKinds,
      .licenceCountries: licenceCountries, .minimumAge: minimumAge,
      .issuingAuthority: issuingAuthority, .issuingCountry: issuingCountry,
      .vettingDrill: vettingDrill, .authoritativeSource: authoritativeSource,
      .enrolPage: enrolPage ? "true" : nil,
    ]
  }
}
