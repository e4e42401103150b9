internal import CCurl
internal import WalletModel
public import WalletPlatform
internal import WalletSystem

/// HTTP by libcurl. Keeps connections alive between calls that share them.
public final class CurlStack: HTTPStack {
  private var multi: CurlMulti?

  public init() { ExitGuard.watch() }

  public func perform(
    _ call: HTTPCall, of peer: HTTPPeer, cancellation: Cancellation
  ) throws(HTTPFailure) -> HTTPResponse {
    guard !cancellation.isCancelled else {
      throw HTTPFailure(Self.cancelled(peer), wasSent: false)
    }
    try call.checkHeaders()
    let exchange = CurlExchange(call, of: peer)
    do {
      return try BrokenPipe.withoutSignal { () throws(WalletError) in
        try perform(call, of: peer, exchange, cancellation)
      }
    } catch { throw HTTPFailure(error, wasSent: exchange.wasSent) }
  }

  private func perform(
    _ call: HTTPCall, of peer: HTTPPeer, _ exchange: CurlExchange, _ cancellation: Cancellation
  ) throws(WalletError) -> HTTPResponse {
    let library = try ExitGuard.shared.whileInside(stop: {}) { () throws(WalletError) in
      try CurlLibrary.shared()
    }
    let multi = try openMulti(library)
    return try ExitGuard.shared.whileInside(stop: { [handle = multi.handle] in handle.wakeUp() }) {
      () throws(WalletError) in
      let transfer = try CurlTransfer(call, of: peer, exchange: exchange, library: library)
      defer { exchange.wasSent = transfer.wasSent }
      return try perform(transfer, exchange, of: peer, multi, cancellation)
    }
  }

  private func perform(
    _ transfer: CurlTransfer, _ exchange: CurlExchange, of peer: HTTPPeer, _ multi: CurlMulti,
    _ cancellation: Cancellation
  ) throws(WalletError) -> HTTPResponse {
    // The handler may run after this call has returned; it keeps the handle alive until then.
    let result = try cancellation.whileCancellable(
      onCancel: { [handle = multi.handle] in handle.wakeUp() }
    ) {
      () throws(WalletError) in
      try multi.run(
        transfer.handle, shouldStop: { cancellation.isCancelled || ExitGuard.shared.isEnding })
    }
    guard let result else { throw Self.cancelled(peer) }
    if let refusal = exchange.refusal { throw refusal }
    if result == CURLE_COULDNT_CONNECT, exchange.hasRefusedAddress { throw .addressRefused(peer) }
    guard result == CURLE_OK else { throw transfer.failure(result) }
    guard exchange.hasWholeHead else {
      throw WalletError(
        .serverUnreachable, "The \(peer.rawValue)'s answer ended within its headers.")
    }
    return HTTPResponse(
      status: transfer.status, headers: exchange.answer.headers, body: exchange.answer.body)
  }

  private func openMulti(_ library: CurlLibrary) throws(WalletError) -> CurlMulti {
    if let multi { return multi }
    let opened = try CurlMulti(library)
    multi = opened
    return opened
  }

  private static func cancelled(_ peer: HTTPPeer) -> WalletError {
    WalletError(.cancelled, "Cancelled during a request to the \(peer.rawValue).")
  }
}
