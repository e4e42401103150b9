import ArgumentParser
import WalletProvider

/// `account revoke`: revokes the PIDs of an account.
struct AccountRevokeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "revoke", abstract: "Revoke the PIDs of an account; it stays open.",
    discussion: """
      Prints how many copies were revoked now; those that were revoked or have ended before are not \
      counted. Verifiers hear of it within three times the setting status-list-seconds. The wallet \
      stays as it is, and may get a new PID by a new code. It is not undone: to keep the person \
      from a new PID too, close the account.
      """)

  @OptionGroup var context: AccountCommandContext
  @OptionGroup var output: OutputFormat
  @Argument(help: "The account's id.") var account: String

  func run() async throws {
    let opened = try await context.open()
    let count = try await opened.accounts.revoke(account: account)
    try opened.administered("account-revoke", count != nil, NotFound.account)
    let revoked = count ?? 0
    try output.print(RevokedOutput(revoked: revoked)) { "revoked: \(revoked)" }
  }
}

private struct RevokedOutput: Encodable {
  /// The number of copies of PIDs.
  var revoked: Int
}
