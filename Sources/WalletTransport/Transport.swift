public import WalletModel
public import WalletPlatform

/// The road to the provider: one request, one answer.
///
/// Small, so that a host's own HTTP can take the place of libcurl.
public protocol Transport: Sendable {
  /// Sends `request` and waits for the whole answer. Blocks, so never on a thread of the host.
  ///
  /// Any HTTP status is an answer, see `HTTPResponse.failure`. Redirects are not followed.
  ///
  /// - Throws: `noInternet` where the provider's name or network cannot be found,
  ///   `serverUnreachable` where it does not answer in time, safely and completely, `serverRefused`
  ///   where the answer is larger than `HTTPResponse.largestBody`, `cancelled` soon after
  ///   `cancellation`, `transportMissing`.
  func send(
    _ request: HTTPRequest, cancellation: Cancellation
  ) throws(WalletError) -> HTTPResponse
}
