import ArgumentParser
import WalletProvider

/// `account list`: prints one line per account.
struct AccountListCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "Print the id, state and label of accounts.",
    discussion: """
      Ordered by their ids. With --json, one JSON object per line. An account that is not as the \
      provider wrote it, or whose key is not in this directory, is unreadable; its JSON says in \
      "unreadable" what is: account, label, code or replacement.
      """)

  @OptionGroup var context: AccountCommandContext
  @OptionGroup var output: OutputFormat
  @OptionGroup var page: PageOptions

  func run() async throws {
    let administration = try await context.open().accounts
    let limit = try page.checkedLimit()
    let accounts = try await administration.accounts(after: page.after, limit: limit)
    for account in accounts {
      try output.print(AccountOutput(account)) {
        guard account.unreadable.isEmpty, let label = account.label else {
          return "\(account.id) unreadable"
        }
        return "\(account.id) \(account.stateText) \(label)"
      }
    }
    page.noteRest(last: accounts.last?.id, count: accounts.count)
  }
}

/// `account show`: prints the state of one account.
struct AccountShowCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Print the state of an account.")

  @OptionGroup var context: AccountCommandContext
  @OptionGroup var output: OutputFormat
  @Argument(help: "The account's id.") var account: String

  func run() async throws {
    guard let found = try await context.open().accounts.account(account) else {
      throw NotFound.account
    }
    try output.print(AccountOutput(found)) {
      let lines = [
        "account: \(found.id)", "label: \(found.label ?? "unreadable")",
        "state: \(found.stateText)", "wallet: \(found.hasWallet ? "yes" : "no")",
        "latest code: \(found.codeText)",
        found.unreadable.contains(.replacement)
          ? "replacement: unreadable" : found.replacement.map { "replacement: \($0.text)" },
        found.replacementRefused.map { "replacement refused: \($0)" },
      ]
      return lines.compactMap { $0 }.joined(separator: "\n")
    }
  }
}

/// `account close`: closes an account, so that nobody can be proofed for it.
struct AccountCloseCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "close",
    abstract: "Close an account: its codes are refused, its PIDs revoked, none is issued.")

  @OptionGroup var context: AccountCommandContext
  @Argument(help: "The account's id.") var account: String

  func run() async throws {
    let opened = try await context.open()
    try opened.administered(
      "account-close", try await opened.accounts.close(account: account), NotFound.account)
  }
}

/// `account reopen`: lets a closed account accept codes again.
struct AccountReopenCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reopen", abstract: "Open a closed account again, as one that was never proofed.")

  @OptionGroup var context: AccountCommandContext
  @Argument(help: "The account's id.") var account: String

  func run() async throws {
    let opened = try await context.open()
    try opened.administered(
      "account-reopen", try await opened.accounts.reopen(account: account),
      ValidationError("there is no such account, or it is not closed"))
  }
}

/// `account refuse-replacement`: declines a new wallet that waits to take the place of the
/// account's proofed wallet.
struct AccountRefuseReplacementCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "refuse-replacement",
    abstract: "Decline a wallet that waits to take the place of the proofed one.",
    discussion: """
      Its code is used up and its evidence deleted; the proofed wallet stays. For the owner of a \
      lost phone, whose new wallet need not wait, delete the old wallet instead: wallet delete.
      """)

  @OptionGroup var context: AccountCommandContext
  @Argument(help: "The account's id.") var account: String

  func run() async throws {
    let opened = try await context.open()
    try opened.administered(
      "account-refuse-replacement", try await opened.accounts.refuseReplacement(account: account),
      ValidationError("there is no such account, or no wallet waits to replace its own"))
  }
}

/// `account forget`: erases an account and all data stored about its owner.
struct AccountForgetCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "forget",
    abstract: "Erase an account with all data about its owner; revoke its PIDs.")

  @OptionGroup var context: AccountCommandContext
  @Argument(help: "The account's id.") var account: String

  func run() async throws {
    let opened = try await context.open()
    try opened.administered(
      "account-forget", try await opened.accounts.forget(account: account), NotFound.account)
  }
}

extension AccountSummary {
  var stateText: String {
    guard !unreadable.contains(.account) else { return "unreadable" }
    return isClosed ? "closed" : isProofed ? "proofed" : "open"
  }

  fileprivate var codeText: String {
    guard !unreadable.contains(.code) else { return "unreadable" }
    return code.map { codeIsExpired ? "expired" : $0.rawValue } ?? "none"
  }
}

/// An account as JSON.
private struct AccountOutput: Encodable {
  var id: String
  /// Omitted if the account does not open with the sealing keys.
  var label: String?
  var state: String
  /// Omitted, like `latestCode`, if nothing is known of the account but its id.
  var wallet: Bool?
  var latestCode: String?
  /// Omitted if no new wallet waits to take the place of the proofed one.
  var replacement: ReplacementOutput?
  /// When a replacement was last refused; omitted if none was.
  var replacementRefused: String?
  /// Omitted if everything is readable.
  var unreadable: [String]?

  init(_ account: AccountSummary) {
    let isKnown = !account.unreadable.contains(.account)
    id = account.id
    label = account.label
    state = account.stateText
    wallet = isKnown ? account.hasWallet : nil
    latestCode = isKnown ? account.codeText : nil
    if !account.unreadable.isEmpty { unreadable = account.unreadable.map(\.rawValue).sorted() }
    replacement = account.replacement.map {
      ReplacementOutput(takesEffect: $0.takesEffect, reference: $0.reference)
    }
    replacementRefused = account.replacementRefused
  }
}

/// A wallet that waits to take the place of the proofed one, as JSON.
private struct ReplacementOutput: Encodable {
  /// The end of the wait; omitted if the owner of the proofed wallet has agreed.
  var takesEffect: String?
  var reference: String?
}

extension ReplacementSummary {
  fileprivate var text: String {
    let time = takesEffect.map { "waits until \($0)" } ?? "agreed to by the proofed wallet"
    return reference.map { "\(time), reference \($0)" } ?? time
  }
}
