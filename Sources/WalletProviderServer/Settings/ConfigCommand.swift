import WalletAttempts
public import ArgumentParser

/// `config`: shows the settings.
public struct ConfigCommand: ParsableCommand {
  public static let configuration = CommandConfiguration(
    commandName: "config", abstract: "Show the settings.",
    subcommands: [ConfigSampleCommand.self, ConfigShowCommand.self])

  public init() {}
}

/// `config sample`: prints a sample configuration file.
public struct ConfigSampleCommand: ParsableCommand {
  public static let configuration = CommandConfiguration(
    commandName: "sample",
    abstract: "Print a configuration file with every setting, its default and its description.",
    discussion:
      "Unedited, the file changes nothing. A server reads wallet-provider.yaml in its data directory."
  )

  public init() {}

  public func run() { StandardOutput.print(SettingText.sample) }
}

/// `config show`: prints the effective settings and where each comes from.
public struct ConfigShowCommand: ParsableCommand, SettingOptions {
  public static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Print all effective settings and where each comes from.",
    discussion: "Takes the options of serve. Secrets are masked.")

  @OptionGroup(title: SettingSection.server.rawValue) public var server: ServerOptions
  @OptionGroup(title: SettingSection.log.rawValue) public var log: LogOptions
  @OptionGroup(title: SettingSection.metrics.rawValue) public var metrics: MetricsOptions
  @OptionGroup(title: SettingSection.clients.rawValue) public var clients: ClientOptions
  @OptionGroup(title: SettingSection.attempts.rawValue) public var attempts: AttemptOptions
  @OptionGroup(title: SettingSection.evaluator.rawValue) public var evaluator: EvaluatorOptions
  @OptionGroup(title: SettingSection.proofing.rawValue) public var proofing: ProofingOptions
  @OptionGroup(title: SettingSection.limits.rawValue) public var limits: LimitOptions

  public init() {}

  public func run() throws {
    let (settings, sources) = try SettingSources.read(
      options: given, config: config)
    StandardOutput.print(SettingText.all(settings, sources))
  }
}
