public import ArgumentParser

/// Options of the command line that are settings. They are read as text, so that an option and its
/// variable are judged by the same rules and refused with the same words.
///
/// Each property is called as its setting: `attemptRounds` is `--attempt-rounds`.
protocol SettingOptionGroup: ParsableArguments {}

extension SettingOptionGroup {
  /// What was given.
  var texts: [SettingName: String] {
    var texts: [SettingName: String] = [:]
    // The parser finds the properties in the same way.
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
  /// The setting of the wrapped property `_attemptRounds`.
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

  /// What the table says of `name`.
  static func setting(_ name: SettingName) -> ArgumentHelp {
    let setting = name.setting
    let standard = setting.standard ?? setting.standardText
    let help = setting.summary + (standard.map { " (default: \($0))" } ?? "")
    return ArgumentHelp(stringLiteral: help)
  }
}

/// A command that takes the options of `serve`, in the groups of the table.
///
/// A command declares each group itself: with a group of groups the parser of a debug build, which
/// judges every level anew for each level above it, takes most of a second to start.
public protocol SettingOptions: ParsableArguments {
  var server: ServerOptions { get }
  var log: LogOptions { get }
  var metrics: MetricsOptions { get }
  var clients: ClientOptions { get }
  var attempts: AttemptOptions { get }
  var proofing: ProofingOptions { get }
  var limits: LimitOptions { get }
}

extension SettingOptions {
  /// What the command line, this process's environment and the configuration file say together.
  ///
  /// - Throws: `SettingsError`, `FileProblem`.
  public func settings() throws -> ServerSettings {
    try ServerSettings.read(options: given, config: config)
  }

  /// The same with the configuration file that was read, if there was one.
  public func read() throws -> (settings: ServerSettings, file: String?) {
    let (settings, sources) = try SettingSources.read(options: given, config: config)
    return (settings, sources.file?.path)
  }

  /// The value of `--config`.
  var config: String? { server.config }

  /// What was given, over all groups.
  public var given: [SettingName: String] {
    let groups: [any SettingOptionGroup] = [
      server, log, metrics, clients, attempts, proofing, limits,
    ]
    return groups.reduce(into: [:]) { $0.merge($1.texts) { _, last in last } }
  }
}

/// The options of the commands beside `serve`: where the settings are. All else is in the file and in the
/// environment.
public struct ProviderOptions: SettingOptionGroup {
  @Option(help: .configurationFile) public var config: String?
  @Option(help: .setting(.data)) public var data: String?
  @Option(help: .setting(.database)) public var database: String?

  public init() {}

  /// As `SettingOptions.settings()`.
  ///
  /// - Parameter others: What the command has given of other settings.
  public func settings(_ others: [SettingName: String] = [:]) throws -> ServerSettings {
    try ServerSettings.read(options: texts.merging(others) { own, _ in own }, config: config)
  }
}
