import WalletAttempts
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
  @OptionGroup(title: SettingSection.proofing.rawValue) var proofing: ProofingOptions
  @OptionGroup(title: SettingSection.limits.rawValue) var limits: LimitOptions

  func run() async throws {
    var settings: ServerSettings
    let file: String?
    do {
      (settings, file) = try self.read()
    } catch {
      StandardOutput.print(Finding(.wrong, "settings", "\(error)").line)
      throw ExitCode.failure
    }
    var evaluator: Finding?
    do {
      // A start publishes them.
      settings.provider.evaluatorKeys = try EvaluatorDirectory.grantKeys(inData: settings.data)
    } catch { evaluator = Finding(.wrong, "evaluator", "\(error)") }
    let store = Result { try OpenedProvider.inspect(settings) }
    var check = ServerCheck(settings, file: file, store: store)
    await check.run()
    let findings = check.findings + [evaluator].compactMap { $0 }
    for finding in findings { StandardOutput.print(finding.line) }
    guard check.isPassed, evaluator == nil else { throw ExitCode.failure }
  }
}
