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

/// The options of `serve`.
public struct SettingOptions: SettingOptionGroup {
  @Option(help: .configurationFile) public var config: String?
  @Option(help: .setting(.data)) public var data: String?
  @Option(help: .setting(.database)) public var database: String?
  @Option(help: .setting(.databaseConnections)) public var databaseConnections: String?
  @Option(help: .setting(.host)) public var host: String?
  @Option(help: .setting(.port)) public var port: String?
  @Option(help: .setting(.tlsCertificate)) public var tlsCertificate: String?
  @Option(help: .setting(.tlsKey)) public var tlsKey: String?
  @Flag(inversion: .prefixedNo, help: .setting(.behindProxy)) public var behindProxy: Bool?
  @Option(help: .setting(.logLevel)) public var logLevel: String?
  @Option(help: .setting(.logFormat)) public var logFormat: String?
  @Option(help: .setting(.attemptRounds)) public var attemptRounds: String?
  @Option(help: .setting(.attemptsPerRound)) public var attemptsPerRound: String?
  @Option(help: .setting(.blockSeconds)) public var blockSeconds: String?
  @Option(help: .setting(.challengeSeconds)) public var challengeSeconds: String?
  @Option(help: .setting(.unconfirmedSeconds)) public var unconfirmedSeconds: String?
  @Option(help: .setting(.inactiveSeconds)) public var inactiveSeconds: String?
  @Option(help: .setting(.warningSeconds)) public var warningSeconds: String?
  @Option(help: .setting(.backgroundSeconds)) public var backgroundSeconds: String?
  @Option(help: .setting(.pinMemoryMebibytes)) public var pinMemoryMebibytes: String?
  @Option(help: .setting(.pinPasses)) public var pinPasses: String?
  @Option(help: .setting(.proofingHosts)) public var proofingHosts: String?
  @OptionGroup(title: "Identity proofing") public var proofing: ProofingOptions
  @OptionGroup(title: "Limits") public var limits: LimitOptions

  public init() {}

  /// What the command line, this process's environment and the configuration file say together.
  ///
  /// - Throws: `ValidationError`, which ends the process with EX_USAGE (64) and the reason; `FileProblem`.
  public func settings() throws -> ServerSettings {
    try ServerSettings.read(options: given, config: config)
  }

  /// The same with the configuration file that was read, if there was one.
  public func read() throws -> (settings: ServerSettings, file: String?) {
    let (settings, sources) = try SettingSources.read(options: given, config: config)
    return (settings, sources.file?.path)
  }

  /// What was given, over all groups.
  var given: [SettingName: String] {
    texts.merging(proofing.texts) { _, last in last }.merging(limits.texts) { _, last in last }
  }
}

/// The options of the commands beside `serve`: where the settings are. All else is in the file and in the
/// environment.
public struct PlaceOptions: SettingOptionGroup {
  @Option(help: .configurationFile) public var config: String?
  @Option(help: .setting(.data)) public var data: String?
  @Option(help: .setting(.database)) public var database: String?

  public init() {}

  /// As `SettingOptions.settings()`.
  public func settings() throws -> ServerSettings {
    try ServerSettings.read(options: texts, config: config)
  }
}
