import ArgumentParser
import WalletProvider
import WalletProviderSQLite
import WalletProviderServer

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The data directory that accounts are managed in.
struct AccountPlace: ParsableArguments {
  @Option(help: "Directory of keys, configuration and database.") var data: String?

  /// The accounts, and the host that the published configuration names for enrolment links.
  struct Office {
    let accounts: AccountOffice
    let host: String?
  }

  func open() throws -> Office {
    let settings: ServerSettings
    do {
      settings = try ServerSettings(
        options: data.map { [.data: $0] } ?? [:], environment: ProcessInfo.processInfo.environment)
    } catch { throw ValidationError("\(error)") }
    let directory = try DataDirectory(
      path: settings.data, settings: settings.provider, publish: false)
    let store = try SQLiteProviderStore(path: directory.databasePath)
    return Office(
      accounts: AccountOffice(
        identity: directory.identity, store: store, settings: settings.provider.proofing),
      host: directory.proofingHost)
  }
}

/// Where an enrolment code is shown.
struct SymbolFile: ParsableArguments {
  @Option(help: "PNG file to write the QR code to; only its owner may read it.") var qr: String?

  /// Prints the account and the link for the wallet's own device, and writes the symbol.
  func show(_ code: IssuedCode, host: String?) throws {
    guard let host else {
      throw ValidationError(
        "the configuration names no proofing host; start the server with --proofing-hosts")
    }
    if let qr {
      let link = EnrolmentLink(code, host: host, way: .qr)
      try PrivateFile.write(try QRSymbol(link.text).png(), to: qr, replace: true)
    }
    StandardOutput.print("account: \(code.account)")
    StandardOutput.print("link: \(EnrolmentLink(code, host: host, way: .link).text)")
  }
}
