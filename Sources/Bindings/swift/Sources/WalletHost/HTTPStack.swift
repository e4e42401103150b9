// SPDX-License-Identifier: Apache-2.0
import CWalletCore

/// The host's own HTTP stack in place of the library's libcurl. The library checks what can be
/// checked of an answer; the rules that rest on the stack alone are those of the HTTP bridge in
/// wallet_core.h. Any number of requests at once, on Swift's executors. When the library no longer
/// waits for a request, its task is cancelled: close the connection.
public protocol HTTPStack: Sendable {
  /// Sends the request once and returns the complete answer, of any status. An error other than an
  /// `HTTPFailure` counts as `WALLET_CORE_HTTP_INCOMPLETE` of a request that was sent.
  func send(_ request: HTTPRequest) async throws -> HTTPAnswer
}

public struct HTTPHeader: Equatable, Sendable {
  public let name, value: String

  public init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }
}

/// A request as it is to be sent.
public struct HTTPRequest: Sendable {
  /// "GET" or "POST".
  public let method: String
  /// Absolute and ASCII. Only addresses of this device have http://.
  public let url: String
  /// All headers besides Host and Content-Length.
  public let headers: [HTTPHeader]
  /// Nil with GET. May contain secrets: do not keep it. Wiped in place after the reply.
  public internal(set) var body: [UInt8]?
  /// The only certificate authorities to trust, as PEM; nil for those of the system.
  public let certificateAuthorities: String?
  public let oldestTLS: wallet_core_tls
  public let reach: wallet_core_http_reach
  /// For the connection, in milliseconds.
  public let connectTimeout: Int
  /// For all of it, the connection included, in milliseconds.
  public let timeout: Int
  /// Of all headers of the answer together, in bytes.
  public let largestHeaders: Int
  /// Of the body of the answer, in bytes.
  public let largestBody: Int
  /// Whether a kept connection may be used and a TLS session resumed. Otherwise neither, and the
  /// connection is closed after the request.
  public let sharesConnections: Bool
}

/// A complete answer.
public struct HTTPAnswer: Sendable {
  public let status: Int
  public let headers: [HTTPHeader]
  public let body: [UInt8]
  public let url: String
  public let remoteAddress: String?

  /// - Parameters:
  ///   - headers: In their order; a name may appear several times.
  ///   - url: The URL that answered, as the stack reports it.
  ///   - remoteAddress: The address that the stack connected to, in digits. Required if the
  ///     request's `reach` is not `WALLET_CORE_HTTP_REACH_ANY`.
  public init(
    status: Int, headers: [HTTPHeader], body: [UInt8], url: String, remoteAddress: String?
  ) {
    self.status = status
    self.headers = headers
    self.body = body
    self.url = url
    self.remoteAddress = remoteAddress
  }
}

/// Why there is no complete answer.
public struct HTTPFailure: Error {
  public let outcome: wallet_core_http_outcome
  public let wasSent: Bool
  public let message: String

  /// - Parameters:
  ///   - outcome: `WALLET_CORE_HTTP_...`, but not `ANSWERED`.
  ///   - wasSent: False only if certainly no byte of the request has left the device.
  ///   - message: For developers, without user data.
  public init(_ outcome: wallet_core_http_outcome, wasSent: Bool, message: String = "") {
    self.outcome = outcome
    self.wasSent = wasSent
    self.message = message
  }
}

extension WalletCore {
  /// Hands the host's own HTTP stack to the library, before or after `start`, and again at any time;
  /// later requests use it. With nil they use libcurl again.
  public static func setHTTPStack(_ stack: (any HTTPStack)?) throws(WalletCoreError) {
    guard let stack else { return try check { wallet_core_set_http_bridge(nil, $0) } }
    var bridge = wallet_core_http_bridge(stack)
    do {
      try check { wallet_core_set_http_bridge(&bridge, $0) }
    } catch {
      // The call has not taken the context.
      bridge.destroy?(bridge.context)
      throw error
    }
  }
}
