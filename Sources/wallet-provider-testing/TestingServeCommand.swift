import ArgumentParser
import Hummingbird
import ServiceLifecycle
import WalletProvider
import WalletProviderServer
import WalletProviderStores

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// `serve`: the server, together with the control of `WalletProviderTestControl`.
///
/// Only the settings that differ in each run are options. Tests start hundreds of servers, and in a
/// debug build the parser takes a fifth of a second for the options of `wallet-provider serve`.
struct TestingServeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve", abstract: "Run the server and its control.",
    discussion: """
      Takes each setting of wallet-provider serve from its environment variable or from the configuration file: \
      WALLET_PROVIDER_ATTEMPT_ROUNDS is its --attempt-rounds. One default differs: it is a \
      demonstration, which needs no authoritative source, unless WALLET_PROVIDER_DEMONSTRATION \
      is false.
      """)

  @OptionGroup var options: ProviderOptions
  @Option(help: "Port to listen on; 0 takes a free one.") var port: String?
  @Option(help: "Unix socket that the control listens on.") var control: String?
  @Option(help: "Loopback port that the control listens on; 0 takes a free one.")
  var controlTcp: UInt16?

  func run() async throws {
    var given: [SettingName: String] = [:]
    given[.port] = port
    let variable = SettingName.demonstration.environmentVariable
    if ProcessInfo.processInfo.environment[variable] == nil { given[.demonstration] = "true" }
    let settings = try options.settings(given)
    let logger = ServerLog.logger(settings)
    let tls = try settings.tls.map { try ServerTLS($0) }
    let state = ControlledState(
      policy: settings.provider.attemptPolicy, verdict: settings.simulatedVerdict)
    let opened = try await OpenedProvider(settings, clock: state, policy: state)
    let (directory, store) = (opened.directory, opened.store)
    let evaluator = ReopenedEvaluator(try await opened.evaluator()) { [data = settings.data] in
      try EvaluatorDirectory(existing: EvaluatorDirectory.path(inData: data))
        .evaluator(policy: state, clock: state)
    }
    let policyFile = try UpdatePolicyFile(
      path: directory.updatePolicyPath, report: ServerLog.policyReport(logger))
    var source: any AuthoritativeSource = NoSource()
    if let path = settings.authoritativeSource { source = try AuthoritativeSourceFile(path: path) }
    let limits = settings.requestLimits()
    let provider = Provider(
      identity: directory.identity, store: CrashingStore(inner: store),
      evaluator: evaluator, settings: settings.provider, policy: state,
      updatePolicy: ControlledUpdatePolicy(state: state, file: policyFile),
      vetting: settings.vetting(
        source: ControlledSource(state: state, inner: source),
        verdicts: ControlledVerdict(state: state)),
      observer: limits.metrics.observer(state), limiter: limits.wallets)
    try await provider.prepareSecrets()
    let accounts = AccountAdministration(
      identity: directory.identity, store: store, settings: settings.provider.proofing)
    let responder = FaultyResponder(
      inner: ProviderResponder<FaultContext>(
        provider: provider, configuration: directory.configurationSource,
        enrolment: try settings.enrolmentSite(directory, store: store),
        statusLists: settings.statusLists(directory, store: store), limits: limits, logger: logger),
      state: state)

    let startLines = StartLines(expected: controlTcp == nil ? 1 : 2)
    var services = ProviderServer.metrics(settings, limits, logger: logger)
    services += [
      ProviderServer.service(
        responder: IdentifiedRequests(responder),
        address: .host(settings.host, port: settings.port), tls: tls,
        limits: limits, logger: logger
      ) { port in
        provider.noteListening(port: port)
        await startLines.add(
          "wallet-provider listens on \(settings.url(port: port))", at: 0)
      },
      await ReloadOnHangUp(policyFile, tls: [tls].compactMap { $0 }, logger: logger),
      ExpirySweep(provider, logger: logger),
    ]
    let testControl = WalletProviderTestControl(
      state: state, store: store, evaluator: evaluator,
      accounts: AccountControl(
        accounts: accounts, store: store, settings: settings.provider.proofing,
        host: directory.proofingHost))
    if let controlTcp {
      services.append(
        ProviderServer.service(
          responder: testControl, address: .host("127.0.0.1", port: Int(controlTcp)),
          logger: logger
        ) { port in
          await startLines.add("control listens on http://127.0.0.1:\(port)", at: 1)
        })
    }
    if let control {
      services.append(
        ProviderServer.service(
          responder: testControl, address: .unixSocket(path: control), logger: logger
        ) { _ in })
    }
    try await ProviderServer.run(
      services, shutdownSeconds: settings.limits.shutdownSeconds, logger: logger)
  }
}

/// Prints lines in a fixed order once all are known, whichever server starts first.
private actor StartLines {
  private let expected: Int
  private var lines: [Int: String] = [:]

  init(expected: Int) { self.expected = expected }

  func add(_ line: String, at position: Int) {
    lines[position] = line
    guard lines.count == expected else { return }
    for position in lines.keys.sorted() { lines[position].map(StandardOutput.print) }
  }
}
