/// A block of the PIN, as the provider reported it. It is stored in this form, so that it outlives
/// the process.
///
/// It only informs the user: the provider alone decides whether it accepts a PIN.
public struct PinBlock: Equatable, Sendable {
  /// The longest block that a provider can set, 366 days, in milliseconds.
  public static let longestDuration: Int64 = 366 * 24 * 60 * 60 * 1000

  /// When the provider reported the block: seconds since 1970 by the provider's time.
  public let toldAt: Int64
  /// How long the block lasts from `toldAt` on: milliseconds, 0 to `longestDuration`; nil if it is
  /// permanent.
  public let duration: Int64?

  public init(toldAt: Int64, duration: Int64?) {
    self.toldAt = toldAt
    self.duration = duration.map { min(max($0, 0), Self.longestDuration) }
  }
}
