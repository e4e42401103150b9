internal import WalletModel
internal import WalletPlatform

/// HTTP by the host's own stack.
///
/// What the host reports is checked as far as it can be: an answer of another URL, of an address
/// that must not be reached or beyond the limits of the call is refused.
final class BridgeStack: HTTPStack {
  private let bridge: any HTTPBridge

  init(_ bridge: any HTTPBridge) { self.bridge = bridge }

  func perform(
    _ call: HTTPCall, of peer: HTTPPeer, cancellation: Cancellation
  ) throws(HTTPFailure) -> HTTPResponse {
    try call.checkHeaders()
    let reply: HTTPReply
    do throws(BridgeFailure) {
      reply = try bridge.send(call, cancellation: cancellation)
    } catch { throw Self.failure(error, of: peer) }
    if let error = Self.failure(reply, of: peer) {
      throw HTTPFailure(error, wasSent: reply.wasSent)
    }
    do throws(WalletError) {
      return try Self.checked(reply, call, of: peer)
    } catch { throw HTTPFailure(error, wasSent: true) }
  }

  private static func checked(
    _ reply: HTTPReply, _ call: HTTPCall, of peer: HTTPPeer
  ) throws(WalletError) -> HTTPResponse {
    guard reply.url.utf8.elementsEqual(call.url.utf8) else {
      throw .answerRefused(peer, "the host's HTTP bridge took it from another URL")
    }
    if case .publicAddresses(let orLoopback) = call.reach {
      guard let address = NetworkAddress(reply.remoteAddress),
        address.isPublic || orLoopback && address.isLoopback
      else { throw .answerRefused(peer, "it came from an address that is not public") }
    }
    guard (200...599).contains(reply.status) else {
      throw .answerRefused(peer, "its status is not one of a final answer")
    }
    let headerBytes = reply.headers.reduce(0) {
      $0 &+ $1.name.utf8.count &+ $1.value.utf8.count
    }
    guard headerBytes <= call.largestHeaders else {
      throw .answerRefused(peer, "its headers are larger than \(call.largestHeaders) bytes")
    }
    guard reply.body.count <= call.largestBody else {
      throw .answerRefused(peer, "its body is larger than \(call.largestBody) bytes")
    }
    var answer = HTTPResponse(status: reply.status, body: reply.body)
    for header in reply.headers { answer.addHeader(header.name, header.value) }
    return answer
  }

  private static func failure(_ failure: BridgeFailure, of peer: HTTPPeer) -> HTTPFailure {
    switch failure {
    case .cancelled:
      HTTPFailure(
        WalletError(.cancelled, "Cancelled during a request to the \(peer.rawValue)."),
        wasSent: true)
    case .missing, .notReady:
      HTTPFailure(
        WalletError(.transportMissing, "The host has taken its HTTP bridge away."), wasSent: false)
    case .timedOut, .refused:
      HTTPFailure(
        WalletError(
          .serverUnreachable,
          "The host's HTTP bridge did not answer in time. "
            + "Answer every call with wallet_core_http_reply()."),
        wasSent: true)
    }
  }

  /// The error of a reply without an answer; nil if there is one.
  private static func failure(_ reply: HTTPReply, of peer: HTTPPeer) -> WalletError? {
    let name = peer.rawValue
    let (kind, text): (WalletError.Kind, String)
    switch reply.outcome {
    case .answered: return nil
    case .noNetwork: (kind, text) = (.noInternet, "There is no network to the \(name).")
    case .notConnected:
      (kind, text) = (.serverUnreachable, "The \(name) refused the connection.")
    case .timedOut: (kind, text) = (.serverUnreachable, "The \(name) did not answer in time.")
    case .tlsRefused: (kind, text) = (.serverUnreachable, "The \(name)'s TLS was refused.")
    case .incomplete:
      (kind, text) = (.serverUnreachable, "The \(name) did not answer completely.")
    case .tooLarge: return .answerRefused(peer, "it is larger than its limit")
    case .addressRefused: return .addressRefused(peer)
    }
    return WalletError(kind, text, hostText: reply.message)
  }
}
