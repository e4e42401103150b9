internal import CCurl
internal import Synchronization
public import WalletModel
public import WalletPlatform
internal import WalletSystem

/// HTTPS to the provider by libcurl.
///
/// Keeps its connection alive between requests. Only one request at a time is allowed: a second one
/// is a defect of the caller and is refused.
public final class CurlTransport: Transport, @unchecked Sendable {
  // Sendable: all members but `multi` are constant, and `multi` is used only by the thread that set
  // `isBusy`.
  private let address: ProviderAddress
  private let certificateAuthority: [UInt8]?
  private let environment: SystemEnvironment
  private let isBusy = Atomic(false)
  private var multi: CurlMulti?

  /// - Parameters:
  ///   - address: The address of the provider.
  ///   - certificateAuthority: The PEM of the only authority that may have issued the provider's
  ///     certificate; TLS 1.3 is then required. Nil trusts the system's authorities, with TLS 1.2
  ///     or newer.
  ///   - environment: The source of the network faults of tests.
  public init(
    address: ProviderAddress, certificateAuthority: [UInt8]?,
    environment: SystemEnvironment = .current
  ) {
    self.address = address
    self.certificateAuthority = certificateAuthority
    self.environment = environment
    ExitGuard.watch()
  }

  public func send(
    _ request: HTTPRequest, cancellation: Cancellation
  ) throws(WalletError) -> HTTPResponse {
    guard !isBusy.exchange(true, ordering: .acquiring) else {
      throw WalletError(.internalDefect, "A transport was used by two threads at once.")
    }
    defer { isBusy.store(false, ordering: .releasing) }
    guard !cancellation.isCancelled else { throw Self.cancelled }
    let fault = environment.nextNetworkFault()
    switch fault {
    case .noInternet: throw WalletError(.noInternet, "There is no network to the provider.")
    case .refused:
      throw WalletError(.serverUnreachable, "The provider refused the connection.")
    case .answerLost, .none: break
    }
    let response = try BrokenPipe.withoutSignal { () throws(WalletError) in
      try perform(request, cancellation)
    }
    guard fault != .answerLost else {
      throw WalletError(.serverUnreachable, "The provider did not answer completely.")
    }
    return response
  }

  private func perform(
    _ request: HTTPRequest, _ cancellation: Cancellation
  ) throws(WalletError) -> HTTPResponse {
    let library = try ExitGuard.shared.whileInside(stop: {}) { () throws(WalletError) in
      try CurlLibrary.shared()
    }
    let multi = try openMulti(library)
    return try ExitGuard.shared.whileInside(stop: { multi.wakeUp() }) {
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
    // The handler may run after this call has returned; it keeps `multi` alive until then.
    let result = try cancellation.whileCancellable(onCancel: { multi.wakeUp() }) {
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
