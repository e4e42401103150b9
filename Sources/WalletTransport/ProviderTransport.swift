public import WalletModel
public import WalletPlatform

/// Requests to the provider, by whichever stack there is.
public final class ProviderTransport: Transport {
  private let address: ProviderAddress
  private let certificateAuthority: [UInt8]?
  private let stack: any HTTPStack

  /// - Parameters:
  ///   - address: The address of the provider.
  ///   - certificateAuthority: The PEM of the only authority that may have issued the provider's
  ///     certificate; TLS 1.3 is then required. Nil trusts the system's authorities, with TLS 1.2
  ///     or newer.
  public init(address: ProviderAddress, certificateAuthority: [UInt8]?, stack: any HTTPStack) {
    self.address = address
    self.certificateAuthority = certificateAuthority
    self.stack = stack
  }

  /// The same by libcurl.
  public convenience init(address: ProviderAddress, certificateAuthority: [UInt8]?) {
    self.init(
      address: address, certificateAuthority: certificateAuthority, stack: CurlStack())
  }

  public func send(
    _ request: HTTPRequest, cancellation: Cancellation
  ) throws(WalletError) -> HTTPResponse {
    guard let url = address.url(for: request.path) else {
      throw WalletError(.internalDefect, "A request has a path that is not plain.")
    }
    let call = HTTPCall(
      request.method, url,
      headers: request.headers.sorted { $0.key < $1.key }.map { .init($0.key, $0.value) },
      body: request.body, certificateAuthorities: certificateAuthority,
      oldestTLS: certificateAuthority == nil ? .v12 : .v13,
      reach: address.isLoopback ? .thisDevice : .anyAddress,
      sharesConnections: true, connectTimeout: HTTPRequest.connectTimeout,
      timeout: request.timeout, largestHeaders: HTTPResponse.largestHeaders,
      largestBody: HTTPResponse.largestBody)
    do throws(HTTPFailure) {
      return try stack.perform(call, of: .provider, cancellation: cancellation)
    } catch { throw error.error }
  }
}
