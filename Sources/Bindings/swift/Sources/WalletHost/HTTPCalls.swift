// SPDX-License-Identifier: Apache-2.0
import CWalletCore

extension wallet_core_http_bridge {
  /// Retains a context, which the library releases by `destroy`.
  public init(_ stack: any HTTPStack) {
    self.init()
    struct_size = MemoryLayout<Self>.size
    context = Unmanaged.passRetained(HTTPCalls(stack)).toOpaque()
    destroy = { context in context.map { Unmanaged<HTTPCalls>.fromOpaque($0).release() } }
    send = { HTTPCalls.of($0)?.send($1, HTTPRequest($2.pointee)) }
    cancel = { HTTPCalls.of($0)?.cancel($1) }
  }
}

/// The context of the HTTP bridge: the stack, and the requests that it has not answered yet.
private final class HTTPCalls: Sendable {
  private let stack: any HTTPStack
  private let tasks = CallTasks()

  init(_ stack: any HTTPStack) { self.stack = stack }

  static func of(_ context: UnsafeMutableRawPointer?) -> HTTPCalls? {
    context.map { Unmanaged<HTTPCalls>.fromOpaque($0).takeUnretainedValue() }
  }

  func cancel(_ call: UInt64) { tasks.cancel(call) }

  func send(_ call: UInt64, _ request: HTTPRequest) {
    let sent = SentRequest(request)
    tasks.start(call) { [stack] in
      do {
        HTTPReply.answer(call, try await stack.send(sent.request))
      } catch {
        HTTPReply.fail(call, error as? HTTPFailure ?? Self.failure(error))
      }
    }
  }

  private static func failure(_ error: any Error) -> HTTPFailure {
    HTTPFailure(WALLET_CORE_HTTP_INCOMPLETE, wasSent: true, message: "\(type(of: error))")
  }
}

/// A request until it was answered. Its body may be a secret: it is wiped in place then. The stack
/// must wipe a copy that it makes, for instance a `Data`.
private final class SentRequest {
  private(set) var request: HTTPRequest

  init(_ request: HTTPRequest) { self.request = request }

  deinit {
    request.body?.withUnsafeMutableBytes { wallet_core_memzero($0.baseAddress, $0.count) }
  }
}

// Safe because the body changes only in deinit, when there is no other reference.
extension SentRequest: @unchecked Sendable {}

extension HTTPRequest {
  fileprivate init(_ request: wallet_core_http_request) {
    method = String(cString: request.method)
    url = String(cString: request.url)
    headers = UnsafeBufferPointer(start: request.headers, count: request.header_count).map {
      HTTPHeader(String(cString: $0.name), String(cString: $0.value))
    }
    body =
      method == "POST"
      ? [UInt8](UnsafeBufferPointer(start: request.body, count: request.body_length)) : nil
    certificateAuthorities = request.certificate_authorities.map { String(cString: $0) }
    oldestTLS = request.oldest_tls
    reach = request.reach
    connectTimeout = Int(request.connect_timeout_ms)
    timeout = Int(request.timeout_ms)
    largestHeaders = request.largest_headers
    largestBody = request.largest_body
    sharesConnections = request.shares_connections != 0
  }
}
