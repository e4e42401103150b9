import ArgumentParser
import WalletProvider
import WalletProviderServer
import WalletProviderStores

/// `evaluate`: runs an evaluator alone until SIGTERM or SIGINT.
struct EvaluateCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "evaluate", abstract: "Run an evaluator alone, for servers with --evaluator-url.",
    discussion: """
      Holds the other half of every PIN key and counts attempts. Without --data it makes its key and \
      its database in ./wallet-evaluator-data. It serves TLS alone, to clients with a certificate of \
      the authority in --client-authority. Each option is also an environment variable and a key of \
      wallet-provider.yaml in its directory, as for serve; other settings of the log, the limits and \
      the metrics are taken from there.
      """,
    subcommands: [EvaluateUnblockCommand.self])

  @OptionGroup(title: "Evaluator") var directory: EvaluatorDirectoryOptions
  @OptionGroup(title: SettingSection.server.rawValue) var server: EvaluateOptions
  @OptionGroup(title: SettingSection.attempts.rawValue) var attempts: EvaluateAttemptOptions
  @OptionGroup(title: SettingSection.log.rawValue) var log: LogOptions
  @OptionGroup(title: SettingSection.metrics.rawValue) var metrics: MetricsOptions

  func run() async throws {
    let settings = try directory.settings(server, attempts, log, metrics)
    let logger = ServerLog.logger(settings)
    let (files, clientAuthority) = try settings.evaluatorTLS()
    let tls = try ServerTLS(files, clientAuthority: clientAuthority)
    let evaluator = try ServedDirectory(settings)
    let limits = settings.requestLimits()
    let server = ProviderServer.service(
      responder: IdentifiedRequests(
        EvaluatorResponder<ProviderContext>(evaluator: evaluator, limits: limits, logger: logger)),
      address: .host(settings.host, port: settings.port), tls: tls, limits: limits, logger: logger
    ) { port in
      StandardOutput.print("evaluator \(evaluator.id) listens on \(settings.url(port: port))")
      ServiceManager.notifyReady()
    }
    try await ProviderServer.run(
      ProviderServer.metrics(settings, limits, logger: logger) + [
        await ReloadOnHangUp(tls: [tls], logger: logger), server,
      ], shutdownSeconds: settings.limits.shutdownSeconds, logger: logger)
  }
}

/// `evaluate unblock`: begins the attempts of a wallet anew.
struct EvaluateUnblockCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "unblock", abstract: "Begin the attempts of a wallet anew.",
    discussion: """
      Also works while the evaluator runs. An evaluator knows no wallets but PIN keys; wallet unblock \
      at the provider prints those of a wallet. Whoever holds the device gets all rounds of attempts \
      again: make sure that you know who asks for it.
      """)

  @OptionGroup var directory: EvaluatorDirectoryOptions
  @Argument(help: "The ids of the wallet's PIN keys.") var keys: [String]

  func run() async throws {
    let settings = try directory.settings()
    let isDone = try await ServedDirectory.unblock(keys: keys, settings)
    ServerLog.administered(
      "evaluator-unblock", isDone: isDone, settings, ServerLog.logger(settings))
    guard isDone else { throw ValidationError("there is no such PIN key") }
  }
}
