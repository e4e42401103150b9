public import WalletModel
public import WalletPlatform
public import WalletProtocol

/// The configuration in force, and how to get a newer one: an answer may name a key of the provider
/// that was published after the last refresh.
public struct ConfigurationAccess: Sendable {
  let current: @Sendable () -> ConfigurationClaims
  let refresh: @Sendable (Cancellation) -> Void
  private let sealing: @Sendable (Cancellation) throws(WalletError) -> ConfigurationClaims

  /// - Parameters:
  ///   - current: The configuration in force.
  ///   - refresh: Fetches the published configuration and waits a limited time for it. If it came
  ///     in time, `current` returns it.
  ///   - sealing: The configuration in force, which has neither expired nor been replaced; fetched
  ///     first if necessary.
  public init(
    current: @escaping @Sendable () -> ConfigurationClaims,
    refresh: @escaping @Sendable (Cancellation) -> Void,
    sealing: @escaping @Sendable (Cancellation) throws(WalletError) -> ConfigurationClaims
  ) {
    self.current = current
    self.refresh = refresh
    self.sealing = sealing
  }

  /// The configuration whose encryption key a message to the provider may be sealed to. The only
  /// way to that key, so that no PIN, code or evidence is sealed to one that was retired long ago.
  ///
  /// - Throws: `noInternet`, `serverUnreachable` and other failures of a fetch; `cancelled`.
  func forSealing(_ cancellation: Cancellation) throws(WalletError) -> ConfigurationClaims {
    try sealing(cancellation)
  }
}

extension ConfigurationAccess {
  /// Returns whether the wallet now seals to another key than `id`, which the provider refused;
  /// refreshes the configuration if it does not.
  func hasOtherEncryptionKey(than id: String?, cancellation: Cancellation) -> Bool {
    guard let id else { return false }
    if current().encryptionKeys.first?.id == id { refresh(cancellation) }
    return current().encryptionKeys.first?.id != id
  }
}
