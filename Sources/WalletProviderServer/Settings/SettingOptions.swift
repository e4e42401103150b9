public import ArgumentParser

/// A group of command-line options that are settings. They are read as text, so that an option and
/// its variable are validated by the same rules and have the same error messages.
///
/// Each property has the name of its setting: `attemptRounds` is `--attempt-rounds`.
protocol SettingOptionGroup: ParsableArguments {}

extension SettingOptionGroup {
  /// The options that were given.
  var texts: [SettingName: String] {
    var texts: [SettingName: String] = [:]
    // `Mirror` lists the same properties that ArgumentParser finds.
    for property in Mirror(reflecting: self).children {
      guard let label = property.label, let name = SettingName(property: label) else { continue }
      switch property.value {
      case let option as Option<String?>: texts[name] = option.wrappedValue
      case let flag as Flag<Bool?>: texts[name] = flag.wrappedValue.map { String($0) }
      default: continue
      }
    }
    return texts
  }
}

extension SettingName {
  /// The setting for the name of a property wrapper: `attempt-rounds` for `_attemptRounds`.
  fileprivate init?(property label: String) {
    var name = ""
    for character in label.drop(while: { $0 == "_" }) {
      name += character.isUppercase ? "-" + character.lowercased() : String(character)
    }
    self.init(rawValue: name)
  }
}

extension ArgumentHelp {
  static let configurationFile = ArgumentHelp(
    stringLiteral:
      "YAML file of settings. (default: \(SettingFile.name) in the data directory, if it is"
      + " there; variable: \(SettingFile.environmentVariable))")

  /// The help text of `name`, from the table of settings.
  ///
  /// - Parameter settings: the defaults of the command.
  static func setting(
    _ name: SettingName, of settings: ServerSettings = .standard
  ) -> ArgumentHelp {
    let setting = name.setting
    let standard = setting.standard ?? setting.standardText(of: settings)
    let help = setting.summary + (standard.map { " (default: \($0))" } ?? "")
    return ArgumentHelp(stringLiteral: help)
  }
}

/// A command that takes the options of `serve`, in the groups of the settings table.
///
/// A command declares each group itself: nested groups would make a debug build take most of a
/// second to start, because the parser evaluates each level again for every level above it.
public protocol SettingOptions: ParsableArguments {
  var server: ServerOptions { get }
  var log: LogOptions { get }
  var metrics: MetricsOptions { get }
  var clients: ClientOptions { get }
  var attempts: AttemptOptions { get }
  var evaluator: EvaluatorOptions { get }
  var proofing: ProofingOptions { get }
  var limits: LimitOptions { get }
}

extension SettingOptions {
  /// The settings from the command line, this process's environment and the configuration file.
  ///
  /// - Throws: `SettingsError`, `FileProblem`.
  public func settings() throws -> ServerSettings {
    try ServerSettings.read(options: given, config: config)
  }

  /// The settings, with the path of the configuration file if there was one.
  public func read() throws -> (settings: ServerSettings, file: String?) {
    let (settings, sources) = try SettingSources.read(options: given, config: config)
    return (settings, sources.file?.path)
  }

  /// The value of `--config`.
  var config: String? { server.config }

  /// The options that were given, of all groups.
  public var given: [SettingName: String] {
    let groups: [any SettingOptionGroup] = [
      server, log, metrics, clients, attempts, evaluator, proofing, limits,
    ]
    return groups.reduce(into: [:]) { $0.merge($1.texts) { _, last in last } }
  }
}

/// The options by which commands other than `serve` find the provider. All other settings come from
/// the configuration file and the environment.
public struct ProviderOptions: SettingOptionGroup {
  @Option(help: .configurationFile) public var config: String?
  @Option(help: .setting(.data)) public var data: String?
  @Option(help: .setting(.database)) public var database: String?

  public init() {}

  /// See `SettingOptions.settings()`.
  ///
  /// - Parameter others: values that the command sets for other settings.
  public func settings(_ others: [SettingName: String] = [:]) throws -> ServerSettings {
    try ServerSettings.read(options: texts.merging(others) { own, _ in own }, config: config)
  }
}
