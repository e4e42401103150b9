import WalletProvider

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Checks that the clock of this machine is plausible. The server dates each update policy with it,
/// and apps refuse a policy that is older than one they have seen.
enum ClockCheck {
  /// The tolerated difference between two clocks, in milliseconds.
  private static let tolerance: Int64 = 5_000

  /// - Parameters:
  ///   - store: the time of the store's own clock, in milliseconds since 1970; nil if it has none.
  ///   - now: the time of this machine.
  static func finding(
    _ settings: ServerSettings, store: Int64?, now: Int64 = SystemWallClock().now
  ) -> Finding {
    let text = Date(timeIntervalSince1970: Double(now) / 1000).formatted(.iso8601)
    // The configuration file was written before now, so its time must be in the past.
    if let published = FileFacts(settings.data + "/configuration.jwt")?.modified,
      (now + tolerance) / 1000 < published
    {
      return Finding(.wrong, "clock", "\(text) is before the configuration was published")
    }
    if let store, abs(store - now) > tolerance {
      let seconds = abs(store - now) / 1000
      return Finding(.wrong, "clock", "\(text) is \(seconds) s from the clock of the database")
    }
    return Finding(.ok, "clock", text)
  }
}
