import ArgumentParser
import Logging
import WalletProvider
import WalletProviderServer
import WalletProviderStores

/// The options and objects shared by the commands that manage wallets and accounts.
struct AccountCommandContext: ParsableArguments {
  @OptionGroup var options: ProviderOptions

  /// The opened accounts and wallets, and the host that the published configuration names for
  /// enrolment links.
  struct Opened {
    let accounts: AccountAdministration
    let wallets: WalletAdministration
    let host: String?
    let settings: ServerSettings
    let logger: Logger
    let provider: OpenedProvider

    /// Logs to standard error what was done, but not to which account or wallet.
    ///
    /// - Throws: `unknown` if the account or wallet does not exist.
    func administered(_ act: String, _ isDone: Bool, _ unknown: any Error) throws {
      ServerLog.administered(act, isDone: isDone, settings, logger)
      guard isDone else { throw unknown }
    }

    /// The host that enrolment links name. Must be called before a code is made, because its link
    /// cannot be shown without a host.
    func linkHost() throws -> String {
      guard let host else {
        throw ValidationError(
          "the configuration names no proofing host; start the server with --proofing-hosts")
      }
      return host
    }
  }

  func open() async throws -> Opened {
    let (settings, opened) = try await options.openProvider()
    return Opened(
      accounts: AccountAdministration(
        identity: opened.directory.identity, store: opened.store,
        settings: settings.provider.proofing),
      wallets: WalletAdministration(
        store: opened.store, evaluator: opened.evaluatorAdministration,
        statusLists: settings.provider.proofing.statusLists),
      host: opened.directory.proofingHost, settings: settings, logger: ServerLog.logger(settings),
      provider: opened)
  }
}

/// Options for the output of an enrolment code.
struct QRCodeFile: ParsableArguments {
  @Option(
    help: "PNG file to write the QR code to; only its owner may read it. It must not exist yet.")
  var qr: String?
  @Flag(help: "Let --qr replace an existing file.") var replace = false

  /// The file to write the QR code to; nil if none is wanted. Throws if it cannot be written. Must
  /// be called before a code is made, so that no code is made in vain.
  func check() throws -> OutputFile? {
    guard let qr else { return nil }
    do {
      return try OutputFile(qr, option: "--qr", replaces: replace, isPrivate: true)
    } catch { throw ValidationError(error.description) }
  }

  /// Prints the account and the link for the wallet's own device, then writes the QR code. In this
  /// order the output is there even if the file cannot be written.
  func show(
    _ code: IssuedCode, host: String, in file: OutputFile?, _ output: OutputFormat
  ) throws {
    let text = EnrolmentLink(code, host: host, medium: .link).text
    try output.print(CodeOutput(account: code.account, link: text)) {
      "account: \(code.account)\nlink: \(text)"
    }
    guard let file else { return }
    let link = EnrolmentLink(code, host: host, medium: .qr)
    try file.write(try QRSymbol(link.text).png())
  }
}

private struct CodeOutput: Encodable {
  var account: String
  var link: String
}
