public import ArgumentParser

/// The options of `serve` that are published to apps.
public struct ClientOptions: SettingOptionGroup {
  @Option(help: .setting(.proofingHosts)) public var proofingHosts: String?
  @Option(help: .setting(.trustAnchors)) public var trustAnchors: String?
  @Option(help: .setting(.configurationSeconds)) public var configurationSeconds: String?
  @Option(help: .setting(.inactiveSeconds)) public var inactiveSeconds: String?
  @Option(help: .setting(.warningSeconds)) public var warningSeconds: String?
  @Option(help: .setting(.backgroundSeconds)) public var backgroundSeconds: String?
  @Option(help: .setting(.pinMemoryMebibytes)) public var pinMemoryMebibytes: String?
  @Option(help: .setting(.pinPasses)) public var pinPasses: String?

  public init() {}
}

/// The options of `serve` for registrations and PIN attempts.
public struct AttemptOptions: SettingOptionGroup {
  @Option(help: .setting(.attemptRounds)) public var attemptRounds: String?
  @Option(help: .setting(.attemptsPerRound)) public var attemptsPerRound: String?
  @Option(help: .setting(.blockSeconds)) public var blockSeconds: String?
  @Option(help: .setting(.failuresPerMonth)) public var failuresPerMonth: String?
  @Option(help: .setting(.challengeSeconds)) public var challengeSeconds: String?
  @Option(help: .setting(.unconfirmedSeconds)) public var unconfirmedSeconds: String?

  public init() {}
}
