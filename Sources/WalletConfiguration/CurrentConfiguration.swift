public import WalletModel
public import WalletPlatform
public import WalletProtocol

/// The configuration that something may be sealed under: neither it nor the update policy has
/// expired, and it is the one that the policy names or a newer one.
///
/// Whoever is between wallet and provider can keep both from the wallet, but not make them older
/// than their validity: a key that was retired for longer than that is sealed to no more.
public struct CurrentConfiguration: Sendable {
  /// How often it is fetched before it is given up. Replicas renew it in the same second, each by
  /// its own clock, so that policy and configuration may be of two of them.
  private static let tries = 2

  private let repository: ConfigurationRepository
  private let updatePolicy: UpdatePolicyRepository
  private let refresher: ConfigurationRefresher

  public init(
    repository: ConfigurationRepository, updatePolicy: UpdatePolicyRepository,
    refresher: ConfigurationRefresher
  ) {
    self.repository = repository
    self.updatePolicy = updatePolicy
    self.refresher = refresher
  }

  /// The configuration in force if it is current; nil if it has to be fetched first.
  public var known: ConfigurationClaims? {
    let (claims, hash) = repository.currentWithHash
    return updatePolicy.vouches(for: claims, hash: hash) ? claims : nil
  }

  /// Fetches the configuration and the update policy, and waits for them.
  ///
  /// - Throws: Why they could not be fetched; `serverUnreachable` if what was fetched has expired
  ///   or does not fit together, as when somebody replays former answers; `cancelled`.
  public func fetched(cancellation: Cancellation) throws(WalletError) -> ConfigurationClaims {
    for _ in 1...Self.tries {
      let failure = refresher.refreshNow(cancellation: cancellation)
      if let known { return known }
      if let failure {
        updatePolicy.keepTime()
        throw failure
      }
    }
    // The next process does not count the time of this one.
    updatePolicy.keepTime()
    throw WalletError(
      .serverUnreachable,
      "The configuration has expired, and what came instead was not the provider's current one.")
  }
}
