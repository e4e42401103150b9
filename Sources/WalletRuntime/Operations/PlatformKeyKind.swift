internal import WalletAccount

/// What a platform key is for, and so which bridge has it; its identifier says so.
enum PlatformKeyKind: String, CaseIterable {
  case account, biometric
  /// The wallet's own signing key, or that of a PID.
  case signing

  init(of identifier: String) {
    self =
      [.account, .biometric].first { identifier.hasPrefix("wallet_core.\($0.rawValue).") }
      ?? .signing
  }

  func newIdentifier() -> String { Account.newKeyIdentifier(rawValue) }
}
