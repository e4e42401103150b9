internal import CCurl
public import WalletModel
public import WalletPlatform
internal import WalletSystem

/// HTTPS to the provider by libcurl.
///
/// Keeps its connection alive between requests.
public final class CurlTransport: Transport {
  private let address: ProviderAddress
  private let certificateAuthority: [UInt8]?
  private var multi: CurlMulti?

  /// - Parameters:
  ///   - address: The address of the provider.
  ///   - certificateAuthority: The PEM of the only authority that may have issued the provider's
  ///     certificate; TLS 1.3 is then required. Nil trusts the system's authorities, with TLS 1.2
  ///     or newer.
  public init(address: ProviderAddress, certificateAuthority: [UInt8]?) {
    self.address = address
    self.certificateAuthority = certificateAuthority
    ExitGuard.watch()
  }

  public func send(
    _ request: HTTPRequest, cancellation: Cancellation
  ) throws(WalletError) -> HTTPResponse {
    guard !cancellation.isCancelled else { throw Self.cancelled }
    return try BrokenPipe.withoutSignal { () throws(WalletError) in
      try perform(request, cancellation)
    }
  }

  private func perform(
    _ request: HTTPRequest, _ cancellation: Cancellation
  ) throws(WalletError) -> HTTPResponse {
    let library = try ExitGuard.shared.whileInside(stop: {}) { () throws(WalletError) in
      try CurlLibrary.shared()
    }
    let multi = try openMulti(library)
    return try ExitGuard.shared.whileInside(stop: { [handle = multi.handle] in handle.wakeUp() }) {
      () throws(WalletError) in
      try perform(request, library, multi, cancellation)
    }
  }

  private func perform(
    _ request: HTTPRequest, _ library: CurlLibrary, _ multi: CurlMulti, _ cancellation: Cancellation
  ) throws(WalletError) -> HTTPResponse {
    let exchange = CurlExchange()
    let transfer = try CurlTransfer(
      request, to: address, certificateAuthority: certificateAuthority, exchange: exchange,
      library: library)
    // The handler may run after this call has returned; it keeps the handle alive until then.
    let result = try cancellation.whileCancellable(
      onCancel: { [handle = multi.handle] in handle.wakeUp() }
    ) {
      () throws(WalletError) in
      try multi.run(
        transfer.handle, shouldStop: { cancellation.isCancelled || ExitGuard.shared.isEnding })
    }
    guard let result else { throw Self.cancelled }
    if let refusal = exchange.refusal { throw refusal }
    guard result == CURLE_OK else { throw transfer.failure(result) }
    guard exchange.hasWholeHead else {
      throw WalletError(.serverUnreachable, "The provider's answer ended within its headers.")
    }
    return HTTPResponse(status: transfer.status, headers: exchange.headers, body: exchange.body)
  }

  private func openMulti(_ library: CurlLibrary) throws(WalletError) -> CurlMulti {
    if let multi { return multi }
    let opened = try CurlMulti(library)
    multi = opened
    return opened
  }

  private static var cancelled: WalletError {
    WalletError(.cancelled, "Cancelled during a request to the provider.")
  }
}
