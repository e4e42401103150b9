import ArgumentParser
import WalletProvider
import WalletProviderServer
import WalletProviderStores

/// `check`: checks whether a server would start, and reports problems.
struct CheckCommand: AsyncParsableCommand, SettingOptions {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Check everything a server needs and report what is wrong.",
    discussion: """
      Takes the options of serve, starts nothing and changes nothing. Prints one line for each check, \
      which begins with ok, note or wrong; the exit code is 0 when nothing is wrong, else 1.
      """)

  @OptionGroup(title: SettingSection.server.rawValue) var server: ServerOptions
  @OptionGroup(title: SettingSection.log.rawValue) var log: LogOptions
  @OptionGroup(title: SettingSection.metrics.rawValue) var metrics: MetricsOptions
  @OptionGroup(title: SettingSection.clients.rawValue) var clients: ClientOptions
  @OptionGroup(title: SettingSection.attempts.rawValue) var attempts: AttemptOptions
  @OptionGroup(title: SettingSection.evaluator.rawValue) var evaluator: EvaluatorOptions
  @OptionGroup(title: SettingSection.proofing.rawValue) var proofing: ProofingOptions
  @OptionGroup(title: SettingSection.limits.rawValue) var limits: LimitOptions

  func run() async throws {
    var settings: ServerSettings
    let file: String?
    do {
      (settings, file) = try self.read()
      try settings.checkProvider()
    } catch {
      StandardOutput.print(Finding(.wrong, "settings", "\(error)").line)
      throw ExitCode.failure
    }
    let store = Result { try OpenedProvider.inspect(settings) }
    let evaluator = await EvaluatorCheck(settings, store: try? store.get())
    // A start publishes them.
    settings.provider.evaluatorKeys = evaluator.grantKeys
    var check = ServerCheck(settings, file: file, store: store)
    await check.run()
    for finding in check.findings + evaluator.findings { StandardOutput.print(finding.line) }
    guard check.isPassed, evaluator.isPassed else { throw ExitCode.failure }
  }
}
