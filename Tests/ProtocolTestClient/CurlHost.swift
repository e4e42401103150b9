internal import WalletModel
public import WalletPlatform
internal import WalletTransport

/// A host whose HTTP bridge uses libcurl: what the phone would be.
public struct CurlHost: HTTPBridge {
  /// The requests of all of them.
  public static let requests = Monitor(0)

  public init() {}

  public var isPresent: Bool { true }

  public func send(
    _ call: HTTPCall, cancellation: Cancellation
  ) throws(BridgeFailure) -> HTTPReply {
    Self.requests.withLock { $0 += 1 }
    let answer: HTTPResponse
    do throws(HTTPFailure) {
      answer = try CurlStack().perform(call, of: .other, cancellation: cancellation)
    } catch {
      guard let outcome = Self.outcome(error.error) else { throw .cancelled }
      return HTTPReply(outcome, wasSent: error.wasSent, message: error.error.message)
    }
    return HTTPReply(
      .answered, wasSent: true, status: answer.status,
      headers: answer.headers.map { .init($0.key, $0.value) }, body: answer.body, url: call.url,
      remoteAddress: "127.0.0.1")
  }

  /// What a host reports of a failed request; nil if the request was cancelled.
  private static func outcome(_ error: WalletError) -> HTTPReply.Outcome? {
    switch error.kind {
    case .cancelled: nil
    case .noInternet: .noNetwork
    case .serverRefused where error.message.contains("private network"): .addressRefused
    case .serverRefused: .tooLarge
    case _ where error.message.contains("TLS") || error.kind == .configurationInvalid: .tlsRefused
    case _ where error.message.contains("in time"): .timedOut
    case _ where error.message.contains("completely") || error.message.contains("headers"):
      .incomplete
    default: .notConnected
    }
  }
}
