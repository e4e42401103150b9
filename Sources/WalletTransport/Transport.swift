public import WalletModel
public import WalletPlatform

/// The transport to the provider: one request, one answer.
///
/// The protocol is small, so that a host's own HTTP client can replace libcurl. A transport belongs to
/// one thread.
public protocol Transport {
  /// Sends `request` and waits for the complete answer. Blocks, so it must not be called on a
  /// thread of the host.
  ///
  /// Any HTTP status is an answer, see `HTTPResponse.failure`. Redirects are not followed.
  ///
  /// - Throws: `noInternet` if the provider's name or network cannot be found; `serverUnreachable`
  ///   if the provider does not answer in time, securely and completely; `serverRefused` if the
  ///   answer exceeds `HTTPResponse.largestBody` or `largestHeaders`; `cancelled` soon after
  ///   `cancellation`; `transportMissing`.
  func send(
    _ request: HTTPRequest, cancellation: Cancellation
  ) throws(WalletError) -> HTTPResponse
}

/// What surrounds every transport of this process.
public enum TransportDecorator {
  /// Set by wallet_core_testing before init, to inject faults; nil in the released library.
  public static let installed = Monitor<(@Sendable (any Transport) -> any Transport)?>(nil)
  /// The same for requests to relying parties.
  public static let installedForOthers =
    Monitor<(@Sendable (any HTTPStack) -> any HTTPStack)?>(nil)
}
