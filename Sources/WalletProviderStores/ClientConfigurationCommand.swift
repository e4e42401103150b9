public import ArgumentParser
import WalletProtocol
import WalletProvider
import WalletProviderServer

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// `client-configuration`: prints what an app embeds to trust this provider. It works before the
/// first start of a server, and while one runs.
public struct ClientConfigurationCommand: AsyncParsableCommand {
  public static let configuration = CommandConfiguration(
    commandName: "client-configuration",
    abstract: "Print what an app embeds to trust this provider, as JSON.",
    discussion: "Makes the keys if there are none yet.")

  @OptionGroup var options: ProviderOptions
  @Option(help: "Where clients reach the provider.") var url = "http://127.0.0.1:8740"
  @Option(help: "PEM file of the authority that the provider's TLS certificate must come from.")
  var certificateAuthority: String?
  @Flag(help: "Embed the update policy too, so that a first start without network is decided.")
  var withUpdatePolicy = false
  @Option(help: "File to write instead of standard output; a regular one is replaced.")
  var out: String?

  public init() {}

  public func run() async throws {
    let settings = try options.settings()
    // Validated before anything is made on disk.
    try DataDirectory.checkClientURL(url, hasCertificateAuthority: certificateAuthority != nil)
    let file = try out.map {
      try OutputFile($0, option: "--out", replaces: true, isPrivate: false)
    }
    var authority: String?
    if let certificateAuthority {
      authority = try PEMFile.certificateText(certificateAuthority)
    }
    let directory = try await OpenedProvider(settings, for: .command).directory
    let document = try directory.clientConfiguration(
      url: url, certificateAuthority: authority,
      updatePolicy: withUpdatePolicy
        ? try directory.signedUpdatePolicy(now: Int64(Date().timeIntervalSince1970)) : nil)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
    let text = String(decoding: try encoder.encode(document), as: UTF8.self)
    guard let file else { return StandardOutput.print(text) }
    try file.write(Array((text + "\n").utf8))
  }
}
