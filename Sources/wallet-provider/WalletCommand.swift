import ArgumentParser
import WalletProvider
import WalletProviderServer
import WalletProviderStores

/// `wallet`: manages registered wallets.
struct WalletCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "wallet", abstract: "List, show, block, unblock and delete registered wallets.",
    discussion: """
      Also works while servers run. The options with which servers were started are not known here: \
      settings are read from the configuration file and the environment. An id that begins with a \
      hyphen, as older versions made them, needs -- before it: wallet show -- -3fK
      """,
    subcommands: [
      WalletListCommand.self, WalletShowCommand.self, WalletBlockCommand.self,
      WalletUnblockCommand.self, WalletDeleteCommand.self,
    ])
}

/// `wallet list`: prints one line per wallet.
struct WalletListCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "Print id, state, wrong attempts and registration of wallets.",
    discussion: """
      Ordered by their ids. With --json, one JSON object per line. A wallet whose row is not as the \
      provider wrote it, or whose key is not in this directory, is unreadable; its JSON has id and \
      state only.
      """)

  @OptionGroup var context: AccountCommandContext
  @OptionGroup var output: OutputFormat
  @OptionGroup var page: PageOptions
  @Option(help: "Only wallets that are \(WalletState.known).", transform: WalletState.init(text:))
  var state: WalletState?

  func run() async throws {
    let administration = try await context.open().wallets
    let limit = try page.checkedLimit()
    let wallets = try await administration.wallets(after: page.after, limit: limit, state: state)
    for wallet in wallets {
      try output.print(WalletOutput(wallet)) {
        [
          wallet.id, wallet.state.rawValue, wallet.wrongAttempts.map { "\($0)" }, wallet.registered,
        ].compactMap { $0 }.joined(separator: " ")
      }
    }
    page.noteRest(last: wallets.last?.id, count: wallets.count)
  }
}

/// `wallet show`: prints the state of one wallet.
struct WalletShowCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Print the state of a wallet.")

  @OptionGroup var context: AccountCommandContext
  @OptionGroup var output: OutputFormat
  @Argument(help: "The wallet's id.") var wallet: String

  func run() async throws {
    guard let (found, account) = try await context.open().wallets.wallet(wallet) else {
      throw NotFound.wallet
    }
    try output.print(WalletOutput(found, account: account)) {
      [
        "wallet: \(found.id)", "state: \(found.state.rawValue)",
        found.blockedFor.map { "blocked for: \(($0 + 999) / 1000) s" },
        found.wrongAttempts.map { "wrong attempts: \($0)" },
        found.registered.map { "registered: \($0)" }, "account: \(account ?? "none")",
      ].compactMap { $0 }.joined(separator: "\n")
    }
  }
}

/// `wallet block`: blocks a wallet permanently.
struct WalletBlockCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "block", abstract: "Block a wallet permanently, as if its attempts were used up.",
    discussion: """
      The wallet learns of it with its next PIN. A wallet that is already unlocked stays so until it \
      locks, and biometric unlock, which does not ask the provider, still works.
      """)

  @OptionGroup var context: AccountCommandContext
  @Argument(help: "The wallet's id.") var wallet: String

  func run() async throws {
    let opened = try await context.open()
    try opened.administered("wallet-block", try await opened.wallets.block(wallet), NotFound.wallet)
  }
}

/// `wallet unblock`: resets a wallet's attempts.
struct WalletUnblockCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "unblock", abstract: "Reset a wallet's wrong attempts and its block.",
    discussion: """
      Whoever holds the device gets all rounds of attempts again: 16 more guesses with the standard \
      policy. Make sure that you know who asks for it. The wallet keeps its PIN. An evaluator on \
      another machine counts too: its operator has to begin the attempts anew first.
      """)

  @OptionGroup var context: AccountCommandContext
  @Flag(help: "The operator of an evaluator on another machine has begun the attempts anew.")
  var evaluatorDone = false
  @Argument(help: "The wallet's id.") var wallet: String

  func run() async throws {
    let opened = try await context.open()
    guard opened.provider.connection != nil else {
      try await opened.provider.checkEvaluator()
      return try opened.administered(
        "wallet-unblock", try await opened.wallets.unblock(wallet), NotFound.wallet)
    }
    guard evaluatorDone else { throw try await evaluatorFirst(opened) }
    let here = WalletAdministration(store: opened.provider.store)
    try opened.administered("wallet-unblock", try await here.unblock(wallet), NotFound.wallet)
  }

  /// What the operator of the evaluator has to do.
  private func evaluatorFirst(_ opened: AccountCommandContext.Opened) async throws -> any Error {
    guard let keys = try await opened.wallets.pinKeys(of: wallet) else { return NotFound.wallet }
    return ValidationError(
      """
      the evaluator on another machine counts the attempts of this wallet too. Let its operator run \
      "wallet-provider evaluate unblock -- \(keys.joined(separator: " "))" there, then repeat this \
      with --evaluator-done
      """)
  }
}

/// `wallet delete`: deletes a wallet; its device has to start over.
struct WalletDeleteCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete", abstract: "Delete a wallet; its device has to start over.",
    discussion: "Its account stays, and accepts a new code for a new wallet.")

  @OptionGroup var context: AccountCommandContext
  @Argument(help: "The wallet's id.") var wallet: String

  func run() async throws {
    let opened = try await context.open()
    try await opened.provider.checkEvaluator()
    try opened.administered(
      "wallet-delete", try await opened.wallets.delete(wallet), NotFound.wallet)
  }
}

extension WalletState {
  fileprivate static var known: String { allCases.map(\.rawValue).joined(separator: ", ") }

  fileprivate init(text: String) throws {
    guard let state = WalletState(rawValue: text) else {
      throw ValidationError("--state must be one of \(Self.known)")
    }
    self = state
  }
}

/// A wallet as JSON.
private struct WalletOutput: Encodable {
  var id: String
  var state: String
  var wrongAttempts: Int?
  var blockedMs: Int64?
  var registered: String?
  var account: String?

  init(_ wallet: WalletSummary, account: String? = nil) {
    id = wallet.id
    state = wallet.state.rawValue
    wrongAttempts = wallet.wrongAttempts
    blockedMs = wallet.blockedFor
    registered = wallet.registered
    self.account = account
  }
}
