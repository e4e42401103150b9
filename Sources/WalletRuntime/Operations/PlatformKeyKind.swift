internal import WalletAccount

/// The purpose of a platform key. It is a part of the key's identifier, and decides which bridge is
/// asked for the key.
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
