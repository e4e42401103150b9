import WalletAttempts
import Hummingbird
import WalletProtocol
import WalletProvider
import WalletProviderServer

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The part of the test control that manages accounts, by the clock that the test sets.
struct AccountControl: Sendable {
  let accounts: AccountAdministration
  let store: any ProviderStore
  let settings: ProofingSettings
  let host: String?

  /// Answers `POST /accounts`, `POST /accounts/ID/codes`, `POST /accounts/ID/replacements` and
  /// `GET /accounts/ID`; nil for another path or an unknown account.
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
    case (.post, 3) where path[2] == "replacements":
      guard let code = try await accounts.issueCode(account: path[1]) else { return nil }
      try await addReplacement(code)
      return try .json([String: String]())
    case (.get, 2):
      guard let found = try await accounts.account(path[1]) else { return nil }
      return try .json(AccountState(found))
    default: return nil
    }
  }

  /// Adds a second wallet for the account of the code. It is as if the provider had accepted its
  /// evidence: it waits to take the place of the proofed wallet. It exists only as rows and never
  /// sends anything.
  private func addReplacement(_ code: IssuedCode) async throws {
    let settings = settings
    try await store.transaction { rows in
      let now = try rows.now
      guard var claimed = try rows.latestEnrolmentCode(ofAccount: code.account) else { return }
      let wallet = UUID().uuidString
      try rows.insert(
        StoredWallet(
          id: wallet, registration: wallet, hardwareKey: Array(wallet.utf8),
          hardwareKeyHash: Array(wallet.utf8), sealingKey: "", sealedPinKey: [], pinKeyID: "",
          sealedHalf: [], sealedShare: [], sequence: 0, confirmed: true, registeredAt: now,
          attempts: AttemptState()))
      claimed.wallet = wallet
      try rows.update(claimed)
      let replacesAt = now + settings.replacementWait
      try rows.insert(
        StoredProofingSession(
          id: wallet, code: claimed.hash, account: code.account, wallet: wallet,
          expiresAt: replacesAt + settings.issuanceLife, state: .pending, reference: "TEST-TEST",
          replacesAt: replacesAt))
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
  var replacement: Bool
  var refused: Bool

  init(_ summary: AccountSummary) {
    closed = summary.isClosed
    proofed = summary.isProofed
    wallet = summary.hasWallet
    code = summary.code?.rawValue ?? "none"
    expired = summary.codeIsExpired
    replacement = summary.replacement != nil
    refused = summary.replacementRefused != nil
  }
}
