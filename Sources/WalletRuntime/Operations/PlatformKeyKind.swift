internal import WalletAccount

/// The purpose of a platform key, which also determines its bridge. The identifier contains it.
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
