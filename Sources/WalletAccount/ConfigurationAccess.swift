public import WalletModel
public import WalletPlatform
public import WalletProtocol

/// The configuration in force, and how to get a newer one. A newer one is needed if an answer names
/// a key that the provider published after the last refresh.
public struct ConfigurationAccess: Sendable {
  let current: @Sendable () -> ConfigurationClaims
  let refresh: @Sendable (Cancellation) -> Void
  private let sealing: @Sendable (Cancellation) throws(WalletError) -> ConfigurationClaims

  /// - Parameters:
  ///   - current: The configuration in force.
  ///   - refresh: Fetches the published configuration and waits for it for a limited time. If it
  ///     arrives, `current` returns it from then on.
  ///   - sealing: Returns the configuration in force after making sure, by a fetch if necessary,
  ///     that it has neither expired nor been replaced.
  public init(
    current: @escaping @Sendable () -> ConfigurationClaims,
    refresh: @escaping @Sendable (Cancellation) -> Void,
    sealing: @escaping @Sendable (Cancellation) throws(WalletError) -> ConfigurationClaims
  ) {
    self.current = current
    self.refresh = refresh
    self.sealing = sealing
  }

  /// Returns the configuration whose encryption key a message to the provider may be sealed to.
  /// Always take the key from here, so that no PIN, code or evidence is sealed to a key that was
  /// retired long ago.
  ///
  /// - Throws: `noInternet`, `serverUnreachable` and other failures of a fetch; `cancelled`.
  func forSealing(_ cancellation: Cancellation) throws(WalletError) -> ConfigurationClaims {
    try sealing(cancellation)
  }
}

extension ConfigurationAccess {
  /// Returns whether the wallet now seals to another key than `id`. The provider has refused a
  /// message that was sealed to `id`. If the configuration still has this key, it is refreshed
  /// first.
  func hasOtherEncryptionKey(than id: String?, cancellation: Cancellation) -> Bool {
    guard let id else { return false }
    if current().encryptionKeys.first?.id == id { refresh(cancellation) }
    return current().encryptionKeys.first?.id != id
  }
}
