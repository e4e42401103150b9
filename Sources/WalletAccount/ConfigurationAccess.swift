public import WalletPlatform
public import WalletProtocol

/// The configuration in force, and how to get a newer one: an answer may name a key of the provider
/// that was published after the last refresh.
public struct ConfigurationAccess: Sendable {
  let current: @Sendable () -> ConfigurationClaims
  let refresh: @Sendable (Cancellation) -> Void

  /// - Parameters:
  ///   - current: The configuration in force.
  ///   - refresh: Fetches the published configuration and waits for it, for a limited time;
  ///     `current` returns it if it came.
  public init(
    current: @escaping @Sendable () -> ConfigurationClaims,
    refresh: @escaping @Sendable (Cancellation) -> Void
  ) {
    self.current = current
    self.refresh = refresh
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
