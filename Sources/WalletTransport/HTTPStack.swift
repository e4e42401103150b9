public import WalletModel
public import WalletPlatform

/// Carries out HTTP requests, one at a time. Belongs to one thread.
public protocol HTTPStack {
  /// Sends `call` and waits for the complete answer. Blocks, so it must not be called on a thread of
  /// the host. Any status is an answer, also a redirect.
  ///
  /// - Parameter peer: Who is asked, for the messages of errors.
  func perform(
    _ call: HTTPCall, of peer: HTTPPeer, cancellation: Cancellation
  ) throws(HTTPFailure) -> HTTPResponse
}

/// Who is asked. Its text is how the messages of errors name it; a host's name is never in them.
public enum HTTPPeer: String, Sendable {
  case provider
  case other = "other party"
}

/// Why there is no answer.
public struct HTTPFailure: Error, Equatable, Sendable {
  public let error: WalletError
  /// Whether a byte of the request may have left the device. Only if it is false may a request be
  /// repeated that has an effect.
  public let wasSent: Bool

  public init(_ error: WalletError, wasSent: Bool) {
    self.error = error
    self.wasSent = wasSent
  }
}

extension HTTPCall {
  /// Throws if a header could be read as something else, such as two headers.
  func checkHeaders() throws(HTTPFailure) {
    for header in headers {
      guard !header.name.isEmpty,
        header.name.utf8.allSatisfy({ HostLiteral.isAlphanumeric($0) || $0 == UInt8(ascii: "-") }),
        header.value.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F })
      else {
        throw HTTPFailure(
          WalletError(.internalDefect, "A request has a header that cannot be sent."),
          wasSent: false)
      }
    }
  }
}

extension WalletError {
  /// - Parameter reason: What about the answer, after "it was refused:".
  static func answerRefused(_ peer: HTTPPeer, _ reason: String) -> WalletError {
    WalletError(
      .serverRefused, "The \(peer.rawValue)'s answer was refused: \(reason). Check the URL.")
  }

  static func addressRefused(_ peer: HTTPPeer) -> WalletError {
    WalletError(
      .serverRefused,
      "The \(peer.rawValue)'s name leads to this device or to a private network.")
  }
}
