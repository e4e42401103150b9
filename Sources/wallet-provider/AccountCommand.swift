import ArgumentParser
import WalletProvider
import WalletProviderServer

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// `account`: manages the accounts for which people are proofed.
struct AccountCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "account", abstract: "Manage the accounts for which people are proofed.",
    discussion: """
      Also works while servers run. The options with which servers were started are not known here: \
      settings are read from the configuration file and the environment. An id that begins with a \
      hyphen, as older versions made them, needs -- before it: account show -- -3fK
      """,
    subcommands: [
      AccountCreateCommand.self, AccountCodeCommand.self, AccountListCommand.self,
      AccountShowCommand.self, AccountCloseCommand.self, AccountReopenCommand.self,
      AccountRevokeCommand.self, AccountForgetCommand.self, AccountFindDocumentCommand.self,
      AccountRefuseReplacementCommand.self,
    ])
}

/// `account create`: makes an account and its first enrolment code.
struct AccountCreateCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "create", abstract: "Make an account; print its id and its enrolment link.",
    discussion: """
      Arguments can be read in the list of processes while the command runs. With --from - the \
      account comes as JSON from standard input instead: {"label":"m@example.org", \
      "family_name":"Sample","given_name":"Maria","birth_date":"1990-12-31"}.
      """)

  @OptionGroup var context: AccountCommandContext
  @OptionGroup var output: OutputFormat
  @OptionGroup var qrCode: QRCodeFile
  @Option(help: "The account's name for its owner, usually an e-mail address.")
  var label: String?
  @Option(help: "As in the owner's documents.") var familyName: String?
  @Option(help: "All of them, as in the owner's documents.") var givenName: String?
  @Option(help: "Like 1990-12-31.") var birthDate: String?
  @Option(help: "File with the account as JSON; - is standard input.") var from: String?

  func run() async throws {
    let person = try readPerson()
    let opened = try await context.open()
    let host = try opened.linkHost()
    let file = try qrCode.check()
    let code = try await opened.accounts.create(person)
    // Logged before it is shown: the account exists even if showing it fails.
    try opened.administered("account-create", true, NotFound.account)
    try qrCode.show(code, host: host, in: file, output)
  }

  private func readPerson() throws -> AccountPerson {
    let arguments = [label, familyName, givenName, birthDate]
    do {
      if let from {
        guard arguments.allSatisfy({ $0 == nil }) else {
          throw SettingsError("--from cannot be combined with the other options of the account")
        }
        return try AccountPerson(json: try PrivateInput.read(from))
      }
      guard let label, let familyName, let givenName, let birthDate else {
        throw SettingsError(
          "--label, --family-name, --given-name and --birth-date are needed, or --from")
      }
      return try AccountPerson(
        label: label, familyName: familyName, givenName: givenName, birthDate: birthDate)
    } catch let error as SettingsError { throw ValidationError("\(error)") }
  }
}

/// `account code`: makes a new enrolment code for an account.
struct AccountCodeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "code", abstract: "Make a new enrolment code; earlier ones without a verdict end.")

  @OptionGroup var context: AccountCommandContext
  @OptionGroup var output: OutputFormat
  @OptionGroup var qrCode: QRCodeFile
  @Argument(help: "The account's id.") var account: String

  func run() async throws {
    let opened = try await context.open()
    let host = try opened.linkHost()
    let file = try qrCode.check()
    guard let code = try await opened.accounts.issueCode(account: account) else {
      throw ValidationError("there is no such account, or it is closed")
    }
    try opened.administered("account-code", true, NotFound.account)
    try qrCode.show(code, host: host, in: file, output)
  }
}
