public import WalletModel
public import WalletPlatform
public import WalletProtocol

/// The configuration that something may be sealed under: neither it nor the update policy has
/// expired, and it is the one that the policy names or a newer one.
///
/// An attacker between wallet and provider can withhold both, but cannot extend their validity. So
/// nothing is sealed to a key that was retired longer ago than that.
public struct CurrentConfiguration: Sendable {
  /// How often both are fetched at most. Replicas of the provider renew them in the same second,
  /// each by its own clock, so policy and configuration can come from different ones.
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
  ///   or does not fit together, for example because former answers were replayed; `cancelled`.
  public func fetched(cancellation: Cancellation) throws(WalletError) -> ConfigurationClaims {
    for _ in 1...Self.tries {
      let failure = refresher.refreshNow(cancellation: cancellation)
      if let known { return known }
      if let failure {
        updatePolicy.keepTime()
        throw failure
      }
    }
    // Stored, because the next process cannot know how long this one ran.
    updatePolicy.keepTime()
    throw WalletError(
      .serverUnreachable,
      "The configuration has expired, and what came instead was not the provider's current one.")
  }
}
