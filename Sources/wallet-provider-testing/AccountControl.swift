import Hummingbird
import WalletProtocol
import WalletProvider
import WalletProviderServer

/// The part of the control that manages accounts, by the clock of the test.
struct AccountControl: Sendable {
  let accounts: AccountAdministration
  let host: String?

  /// Answers `POST /accounts`, `POST /accounts/ID/codes`, `GET /accounts/ID`; nil for another path.
  func respond(to request: Request, body: [UInt8]) async throws -> Response? {
    let parts = request.uri.path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
    let path = parts.map(String.init)
    guard path.first == "accounts" else { return nil }
    switch (request.method, path.count) {
    case (.post, 1):
      return try answer(try await accounts.create(try AccountPerson(json: body)))
    case (.post, 3) where path[2] == "codes":
      guard let code = try await accounts.issueCode(account: path[1]) else { return nil }
      return try answer(code)
    case (.get, 2):
      guard let found = try await accounts.account(path[1]) else { return nil }
      return try .json(AccountState(found))
    default: return nil
    }
  }

  private func answer(_ code: IssuedCode) throws -> Response {
    guard let host else { throw SettingsError("the configuration names no proofing host") }
    return try .json(
      AccountCode(
        account: code.account, link: EnrolmentLink(code, host: host, medium: .link).text,
        qr: EnrolmentLink(code, host: host, medium: .qr).text))
  }
}

private struct AccountCode: Encodable {
  var account: String
  var link: String
  var qr: String
}

private struct AccountState: Encodable {
  var closed: Bool
  var proofed: Bool
  var wallet: Bool
  var code: String
  var expired: Bool

  init(_ summary: AccountSummary) {
    closed = summary.isClosed
    proofed = summary.isProofed
    wallet = summary.hasWallet
    code = summary.code?.rawValue ?? "none"
    expired = summary.codeIsExpired
  }
}
