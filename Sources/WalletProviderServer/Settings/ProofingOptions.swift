public import ArgumentParser

/// The options of `serve` for identity proofing.
public struct ProofingOptions: SettingOptionGroup {
  @Option(help: .setting(.codeSeconds)) public var codeSeconds: String?
  @Option(help: .setting(.sessionSeconds)) public var sessionSeconds: String?
  @Option(help: .setting(.pendingSeconds)) public var pendingSeconds: String?
  @Option(help: .setting(.issuanceSeconds)) public var issuanceSeconds: String?
  @Option(help: .setting(.replacementSeconds)) public var replacementSeconds: String?
  @Option(help: .setting(.licenceAttempts)) public var licenceAttempts: String?
  @Option(help: .setting(.exhaustedSeconds)) public var exhaustedSeconds: String?
  @Option(help: .setting(.licenceKinds)) public var licenceKinds: String?
  @Option(help: .setting(.licenceCountries)) public var licenceCountries: String?
  @Option(help: .setting(.minimumAge)) public var minimumAge: String?
  @Option(help: .setting(.issuingAuthority)) public var issuingAuthority: String?
  @Option(help: .setting(.issuingCountry)) public var issuingCountry: String?
  @Option(help: .setting(.statusListSeconds)) public var statusListSeconds: String?
  @Option(help: .setting(.statusListEntries)) public var statusListEntries: String?
  @Option(help: .setting(.pidType)) public var pidType: String?
  @Option(help: .setting(.simulatedVerdict)) public var simulatedVerdict: String?
  @Option(help: .setting(.authoritativeSource)) public var authoritativeSource: String?
  @Flag(inversion: .prefixedNo, help: .setting(.demonstration)) public var demonstration: Bool?
  @Flag(inversion: .prefixedNo, help: .setting(.enrolPage)) public var enrolPage: Bool?

  public init() {}
}
