import WalletAttempts
import ArgumentParser
import Hummingbird
import WalletProvider
import WalletProviderServer
import WalletProviderStores

/// `serve`: runs until SIGTERM or SIGINT.
struct ServeCommand: AsyncParsableCommand, SettingOptions {
  static let configuration = CommandConfiguration(
    commandName: "serve", abstract: "Run the server.",
    discussion: """
      Without options it makes its keys and its database in ./wallet-provider-data and listens on \
      127.0.0.1:8740. Each option is also an environment variable: --attempt-rounds is \
      WALLET_PROVIDER_ATTEMPT_ROUNDS. Durations are whole seconds.
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
    let settings = try self.settings()
    try settings.checkProvider()
    let logger = ServerLog.logger(settings)
    ServerLog.warn(of: settings, logger)
    let tls = try settings.tls.map { try ServerTLS($0) }
    let opened = try await OpenedProvider(settings)
    let (directory, store) = (opened.directory, opened.store)
    let policyFile = try UpdatePolicyFile(
      path: directory.updatePolicyPath, report: ServerLog.policyReport(logger))
    let limits = settings.requestLimits()
    let provider = Provider(
      identity: directory.identity, store: store, evaluator: try await opened.evaluator(),
      settings: settings.provider,
      updatePolicy: policyFile, vetting: try settings.vetting(),
      observer: limits.metrics.observer(ServerLog.observer(settings, logger)),
      limiter: limits.wallets)
    try await provider.prepareSecrets()
    let responder = ProviderResponder<ProviderContext>(
      provider: provider, configuration: directory.configurationSource,
      enrolment: try settings.enrolmentSite(directory, store: store),
      statusLists: settings.statusLists(directory, store: store), limits: limits,
      logger: logger)
    let server = ProviderServer.service(
      responder: IdentifiedRequests(responder),
      address: .host(settings.host, port: settings.port), tls: tls,
      limits: limits, logger: logger
    ) { port in
      provider.noteListening(port: port)
      StandardOutput.print("wallet-provider listens on \(settings.url(port: port))")
      ServerLog.note(of: settings, logger)
      ServiceManager.notifyReady()
    }
    let files: [(any ReloadableFiles)?] = [tls, opened.connection]
    try await ProviderServer.run(
      ProviderServer.metrics(settings, limits, logger: logger) + [
        await ReloadOnHangUp(policyFile, tls: files.compactMap { $0 }, logger: logger),
        ExpirySweep(provider, logger: logger), server,
      ], shutdownSeconds: settings.limits.shutdownSeconds, logger: logger)
  }
}
