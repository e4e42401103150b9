public import ArgumentParser

/// The options of `serve` for an evaluator on another machine.
public struct EvaluatorOptions: SettingOptionGroup {
  @Option(help: .setting(.evaluatorURL)) public var evaluatorUrl: String?
  @Option(help: .setting(.evaluatorCertificate)) public var evaluatorCertificate: String?
  @Option(help: .setting(.evaluatorKey)) public var evaluatorKey: String?
  @Option(help: .setting(.evaluatorAuthority)) public var evaluatorAuthority: String?
  @Option(help: .setting(.clientAuthority)) public var clientAuthority: String?

  public init() {}
}

/// The options by which `evaluate` finds its directory.
public struct EvaluatorDirectoryOptions: SettingOptionGroup {
  @Option(help: .configurationFile) public var config: String?
  @Option(help: "The evaluator's directory. (default: \(ServerSettings.evaluator.data))")
  public var data: String?

  public init() {}

  /// The settings of an evaluator from the command line, the environment and the file.
  ///
  /// - Parameter others: options of other groups.
  /// - Throws: `SettingsError`, `FileProblem`.
  public func settings(
    _ others: any EvaluateOptionGroup...
  ) throws -> ServerSettings {
    let given = others.reduce(into: texts) { $0.merge($1.given) { own, _ in own } }
    return try SettingSources.read(options: given, config: config, standard: .evaluator).settings
  }
}

/// A group of options of `evaluate`.
public protocol EvaluateOptionGroup: ParsableArguments {
  /// The options that were given.
  var given: [SettingName: String] { get }
}

/// The options of `evaluate` for its address and its certificates.
public struct EvaluateOptions: SettingOptionGroup, EvaluateOptionGroup {
  @Option(help: .setting(.host)) public var host: String?
  @Option(help: .setting(.port, of: .evaluator)) public var port: String?
  @Option(help: .setting(.tlsCertificate)) public var tlsCertificate: String?
  @Option(help: .setting(.tlsKey)) public var tlsKey: String?
  @Option(help: "PEM file of the only authority that the certificates of providers may come from.")
  public var clientAuthority: String?

  public init() {}

  public var given: [SettingName: String] { texts }
}

/// The options of `evaluate` for the attempts at the PIN.
public struct EvaluateAttemptOptions: SettingOptionGroup, EvaluateOptionGroup {
  @Option(help: .setting(.attemptRounds)) public var attemptRounds: String?
  @Option(help: .setting(.attemptsPerRound)) public var attemptsPerRound: String?
  @Option(help: .setting(.blockSeconds)) public var blockSeconds: String?
  @Option(help: .setting(.failuresPerMonth)) public var failuresPerMonth: String?

  public init() {}

  public var given: [SettingName: String] { texts }
}

extension LogOptions: EvaluateOptionGroup {
  public var given: [SettingName: String] { texts }
}

extension MetricsOptions: EvaluateOptionGroup {
  public var given: [SettingName: String] { texts }
}
