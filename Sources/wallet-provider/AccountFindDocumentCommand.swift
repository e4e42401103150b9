import ArgumentParser
import WalletProvider
import WalletProviderServer

/// `account find-document`: tells support which account a document was used for.
struct AccountFindDocumentCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "find-document", abstract: "Print the account that was proofed with a document.",
    discussion: """
      A wallet whose document was used for another account only learns that it does not match. \
      Name and birth date are those of the account that is to be proofed. Arguments can be read in \
      the list of processes while the command runs. With --from - the document comes as JSON from \
      standard input instead: {"issuer":"636014","number":"D1234567","family_name":"Sample", \
      "birth_date":"1990-12-31"}. With --free the document may be used for any account again; \
      make sure that you know who asks for it. The account that was proofed with it stays proofed, \
      unless it is closed.
      """)

  @OptionGroup var context: AccountCommandContext
  @OptionGroup var output: OutputFormat
  @Option(help: "The issuer identification number, like 636014.") var issuer: String?
  @Option(help: "The document's number.") var number: String?
  @Option(help: "As in the account.") var familyName: String?
  @Option(help: "Like 1990-12-31.") var birthDate: String?
  @Option(help: "File with the document as JSON; - is standard input.") var from: String?
  @Flag(help: "Let the document be used again.") var free = false

  func run() async throws {
    let document = try readDocument()
    let opened = try await context.open()
    guard let found = try await opened.accounts.account(ofDocument: document) else {
      throw ValidationError("no account was proofed with this document")
    }
    try output.print(FoundOutput(id: found.id, label: found.label, state: found.stateText)) {
      "\(found.id) \(found.stateText) \(found.label ?? "unreadable")"
    }
    guard free else { return }
    try opened.administered(
      "account-free-document", try await opened.accounts.free(document),
      ValidationError("no account has this document any more"))
  }

  private func readDocument() throws -> HeldDocument {
    do {
      if let from {
        guard [issuer, number, familyName, birthDate].allSatisfy({ $0 == nil }) else {
          throw SettingsError("--from cannot be combined with the other options of the document")
        }
        return try HeldDocument(json: try PrivateInput.read(from))
      }
      guard let issuer, let number, let familyName, let birthDate else {
        throw SettingsError(
          "--issuer, --number, --family-name and --birth-date are needed, or --from")
      }
      return try HeldDocument(
        issuer: issuer, number: number, familyName: familyName, birthDate: birthDate)
    } catch let error as SettingsError { throw ValidationError("\(error)") }
  }
}

/// The account as JSON.
private struct FoundOutput: Encodable {
  var id: String
  /// Omitted if the account does not open with the sealing keys.
  var label: String?
  var state: String
}
