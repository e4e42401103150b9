public import WalletPlatform
public import WalletProtocol

/// The configuration in force, and the way to a newer one: an answer may name a key of the provider
/// that was published after the last refresh.
public struct ConfigurationAccess: Sendable {
  let current: @Sendable () -> ConfigurationClaims
  let refresh: @Sendable (Cancellation) -> Void

  /// - Parameters:
  ///   - current: The configuration in force.
  ///   - refresh: Fetches the published one and waits for it, bounded; whether it came shows in
  ///     `current`.
  public init(
    current: @escaping @Sendable () -> ConfigurationClaims,
    refresh: @escaping @Sendable (Cancellation) -> Void
  ) {
    self.current = current
    self.refresh = refresh
  }
}

extension ConfigurationAccess {
  /// Whether the wallet seals to another key now than the one with this id, which the provider refused;
  /// refreshes where it does not.
  func movesOn(fromEncryptionKey id: String?, cancellation: Cancellation) -> Bool {
    guard let id else { return false }
    if current().encryptionKeys.first?.id == id { refresh(cancellation) }
    return current().encryptionKeys.first?.id != id
  }
}
