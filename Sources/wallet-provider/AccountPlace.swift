import ArgumentParser
import WalletProvider
import WalletProviderServer
import WalletProviderStores

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The data directory that accounts are managed in.
struct AccountPlace: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Directory of keys, configuration and database.",
      discussion:
        "All else is as in WALLET_PROVIDER_ variables; options of serve are not known here."))
  var data: String?

  /// The accounts, and the host that the published configuration names for enrolment links.
  struct Office {
    let accounts: AccountOffice
    let host: String?

    /// The host, before anything is made that could not be shown without it.
    func linkHost() throws -> String {
      guard let host else {
        throw ValidationError(
          "the configuration names no proofing host; start the server with --proofing-hosts")
      }
      return host
    }
  }

  func open() async throws -> Office {
    let settings: ServerSettings
    do {
      settings = try ServerSettings(
        options: data.map { [.data: $0] } ?? [:], environment: ProcessInfo.processInfo.environment)
    } catch { throw ValidationError("\(error)") }
    // A mistyped path must not become another provider.
    guard FileManager.default.fileExists(atPath: settings.data + "/provider-id") else {
      throw ValidationError(
        "\(settings.data) is no data directory of a provider: there is no provider-id in it")
    }
    let opened = try await OpenedProvider(settings, publish: false)
    return Office(
      accounts: AccountOffice(
        identity: opened.directory.identity, store: opened.store,
        settings: settings.provider.proofing),
      host: opened.directory.proofingHost)
  }
}

/// Where an enrolment code is shown.
struct SymbolFile: ParsableArguments {
  @Option(help: "PNG file to write the QR code to; only its owner may read it.") var qr: String?

  /// Refuses a file that cannot be written, before there is a code to write.
  func check() throws {
    guard let qr else { return }
    let file = URL(fileURLWithPath: qr)
    var isDirectory = false
    if let type = try? FileManager.default.attributesOfItem(atPath: qr)[.type] as? FileAttributeType
    {
      isDirectory = type == .typeDirectory
    }
    guard !isDirectory,
      FileManager.default.isWritableFile(atPath: file.deletingLastPathComponent().path)
    else { throw ValidationError("\(qr) cannot be written") }
  }

  /// Prints the account and the link for the wallet's own device, and writes the symbol after that: what
  /// was made is told even where the file fails.
  func show(_ code: IssuedCode, host: String) throws {
    StandardOutput.print("account: \(code.account)")
    StandardOutput.print("link: \(EnrolmentLink(code, host: host, way: .link).text)")
    guard let qr else { return }
    let link = EnrolmentLink(code, host: host, way: .qr)
    try PrivateFile.write(try QRSymbol(link.text).png(), to: qr, replace: true)
  }
}
