public import ArgumentParser

/// `config`: looks at the settings.
public struct ConfigCommand: ParsableCommand {
  public static let configuration = CommandConfiguration(
    commandName: "config", abstract: "Look at the settings.",
    subcommands: [ConfigSampleCommand.self, ConfigShowCommand.self])

  public init() {}
}

/// `config sample`: a configuration file to begin with.
public struct ConfigSampleCommand: ParsableCommand {
  public static let configuration = CommandConfiguration(
    commandName: "sample",
    abstract: "Print a configuration file with every setting, its default and what it is.",
    discussion:
      "As it is printed it changes nothing. A server reads wallet-provider.yaml in its data directory."
  )

  public init() {}

  public func run() { StandardOutput.print(SettingText.sample) }
}

/// `config show`: what holds, and who says so.
public struct ConfigShowCommand: ParsableCommand {
  public static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Print all settings that hold and where each comes from.",
    discussion: "Takes the options of serve. Secrets are masked.")

  @OptionGroup var options: SettingOptions

  public init() {}

  public func run() throws {
    let (settings, sources) = try SettingSources.read(
      options: options.given, config: options.config)
    StandardOutput.print(SettingText.all(settings, sources))
  }
}
