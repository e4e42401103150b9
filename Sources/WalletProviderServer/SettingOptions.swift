public import ArgumentParser

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The options of `serve`. They are read as text, so that an option and its variable are judged by
/// the same rules and refused with the same words.
public struct SettingOptions: ParsableArguments {
  @Option(help: "Directory of keys, configuration and database.") public var data: String?
  @Option(help: "Address to listen on.") public var host: String?
  @Option(help: "Port to listen on; 0 takes a free one.") public var port: String?
  @Option(help: "PEM file: the server's certificate and those between it and its authority.")
  public var tlsCertificate: String?
  @Option(help: "PEM file of the certificate's key, which only its owner may read.")
  public var tlsKey: String?
  @Flag(help: "A TLS terminator stands in front: plain HTTP on any address.")
  public var behindProxy = false
  @Option(help: "trace, debug, info, notice, warning, error or critical.")
  public var logLevel: String?
  @Option(help: "Rounds of PIN attempts; after the last one a wallet is blocked for good.")
  public var attemptRounds: String?
  @Option(help: "Wrong PINs per round.") public var attemptsPerRound: String?
  @Option(help: "Blocks after the rounds but the last, like 60,300,3600.")
  public var blockSeconds: String?
  @Option(help: "Life of a challenge.") public var challengeSeconds: String?
  @Option(help: "Life of a registration without its confirmation.")
  public var unconfirmedSeconds: String?
  @Option(help: "For the clients: lock after so much inactivity.")
  public var inactiveSeconds: String?
  @Option(help: "For the clients: warn after so much inactivity.")
  public var warningSeconds: String?
  @Option(help: "For the clients: lock after so much time in the background.")
  public var backgroundSeconds: String?
  @Option(help: "For clients: the hosts of universal links and codes, with commas between.")
  public var proofingHosts: String?
  @OptionGroup(title: "Identity proofing") public var proofing: ProofingOptions

  public init() {}

  /// What the command line and this process's environment say together.
  ///
  /// - Throws: `ValidationError`, which ends the process with EX_USAGE (64) and the reason.
  public func settings() throws -> ServerSettings {
    var texts: [SettingName: String?] = [
      .data: data, .host: host, .port: port, .tlsCertificate: tlsCertificate, .tlsKey: tlsKey,
      .behindProxy: behindProxy ? "true" : nil, .logLevel: logLevel, .attemptRounds: attemptRounds,
      .attemptsPerRound: attemptsPerRound, .blockSeconds: blockSeconds,
      .challengeSeconds: challengeSeconds, .unconfirmedSeconds: unconfirmedSeconds,
      .inactiveSeconds: inactiveSeconds, .warningSeconds: warningSeconds,
      .backgroundSeconds: backgroundSeconds, .proofingHosts: proofingHosts,
    ]
    texts.merge(proofing.texts) { _, last in last }
    do {
      return try ServerSettings(
        options: texts.compactMapValues { $0 }, environment: ProcessInfo.processInfo.environment)
    } catch { throw ValidationError("\(error)") }
  }
}
