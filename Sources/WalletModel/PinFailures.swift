/// Wrong PINs that the owner of the wallet has not been told of yet.
public struct PinFailures: Equatable, Sendable {
  public let count: UInt64
  /// When the last wrong PIN came: seconds since 1970 by the provider's clock.
  public let lastAt: Int64
  /// How many wrong PINs there have been since the registration, whether the owner was told of them
  /// or not.
  public let total: UInt64
  /// The id of the wallet whose PIN they were tried for.
  public let wallet: String

  public init(count: UInt64, lastAt: Int64, total: UInt64, wallet: String) {
    self.count = count
    self.lastAt = lastAt
    self.total = total
    self.wallet = wallet
  }
}
