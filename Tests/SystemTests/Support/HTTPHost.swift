import CWalletCore
import Foundation
import ProtocolTestClient
import WalletPlatform

/// The HTTP bridge of a test host, through the C header, with libcurl behind it as in the example
/// in C. A variable makes all hosts of a run use it.
enum HTTPHost {
  static var isWanted: Bool {
    ProcessInfo.processInfo.environment["WALLET_CORE_TEST_HTTP_BRIDGE"] != nil
  }

  /// The requests under way, by call.
  private static let open = Monitor<[UInt64: Cancellation]>([:])
  static var isIdle: Bool { open.withLock { $0.isEmpty } }

  /// Where the requests that were sent went.
  static let urls = Monitor<[String]>([])

  static func handOver() {
    var bridge = wallet_core_http_bridge()
    bridge.struct_size = MemoryLayout.size(ofValue: bridge)
    bridge.send = { _, call, request in
      let (copy, cancellation) = (HTTPCall(request.pointee), Cancellation())
      HTTPHost.open.update { $0[call] = cancellation }
      HTTPHost.urls.update { $0.append(copy.url) }
      let thread = NamedThread("http host", signals: .blocked) {
        let result = Result { () throws(BridgeFailure) in
          try CurlHost().send(copy, cancellation: cancellation)
        }
        HTTPHost.open.update { $0[call] = nil }
        if case .success(let reply) = result { HTTPHost.reply(call, reply) }
      }
      thread?.detach()
    }
    bridge.cancel = { _, call in HTTPHost.open.withLock { $0[call] }?.cancel() }
    _ = wallet_core_set_http_bridge(&bridge, nil)
  }

  private static func reply(_ call: UInt64, _ reply: HTTPReply) {
    var response = wallet_core_http_response()
    response.struct_size = MemoryLayout.size(ofValue: response)
    response.outcome = wallet_core_http_outcome(reply.outcome.rawValue)
    response.was_sent = reply.wasSent ? 1 : 0
    response.http_status = Int32(reply.status)
    let names = reply.headers.map { strdup($0.name) }
    let values = reply.headers.map { strdup($0.value) }
    defer { for text in names + values { free(text) } }
    let headers = zip(names, values).map { wallet_core_http_header(name: $0, value: $1) }
    reply.url.withCString { url in
      reply.remoteAddress.withCString { address in
        headers.withUnsafeBufferPointer { headers in
          reply.body.withUnsafeBufferPointer { body in
            response.headers = headers.baseAddress
            response.header_count = headers.count
            response.body = body.baseAddress
            response.body_length = body.count
            response.url = url
            response.remote_address = address
            _ = wallet_core_http_reply(call, &response)
          }
        }
      }
    }
  }
}

extension HTTPCall {
  /// Reads what the library asks for.
  fileprivate init(_ request: wallet_core_http_request) {
    let headers = UnsafeBufferPointer(start: request.headers, count: request.header_count)
    self.init(
      Method(rawValue: String(cString: request.method)) ?? .get, String(cString: request.url),
      headers: headers.map { Header(String(cString: $0.name), String(cString: $0.value)) },
      body: Array(UnsafeBufferPointer(start: request.body, count: request.body_length)),
      certificateAuthorities: request.certificate_authorities.map {
        Array(String(cString: $0).utf8)
      },
      oldestTLS: TLSVersion(rawValue: request.oldest_tls.rawValue) ?? .v13,
      reach: request.reach == WALLET_CORE_HTTP_REACH_ANY
        ? .anyAddress
        : .publicAddresses(orLoopback: request.reach == WALLET_CORE_HTTP_REACH_PUBLIC_OR_LOOPBACK),
      sharesConnections: request.shares_connections == 1,
      connectTimeout: Milliseconds(request.connect_timeout_ms),
      timeout: Milliseconds(request.timeout_ms), largestHeaders: request.largest_headers,
      largestBody: request.largest_body)
  }
}
