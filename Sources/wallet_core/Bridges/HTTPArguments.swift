internal import CWalletCore
internal import WalletCrypto
internal import WalletPlatform

/// The request of a call to the HTTP bridge, at addresses that stay valid as long as this object
/// lives.
final class HTTPArguments: @unchecked Sendable {
  // Sendable: everything is written in init, before the object is shared, then only read by the
  // host, and freed in deinit, after the last reference. Only the body is overwritten once before,
  // when nothing that is read of it counts any more.
  let request: UnsafePointer<wallet_core_http_request>
  private let headers: UnsafeMutableBufferPointer<wallet_core_http_header>
  private let body: UnsafeMutableBufferPointer<UInt8>
  private let texts: StableTexts

  init(_ call: HTTPCall) {
    let authorities = call.certificateAuthorities.map { String(decoding: $0, as: UTF8.self) }
    texts = StableTexts(
      [call.method.rawValue, call.url, authorities ?? ""]
        + call.headers.flatMap { [$0.name, $0.value] })
    headers = .allocate(capacity: call.headers.count)
    for index in call.headers.indices {
      headers.initializeElement(
        at: index,
        to: wallet_core_http_header(
          name: texts.start(3 + 2 * index), value: texts.start(4 + 2 * index)))
    }
    body = .allocate(capacity: call.body.count)
    _ = body.initialize(from: call.body)
    let target = UnsafeMutablePointer<wallet_core_http_request>.allocate(capacity: 1)
    target.initialize(
      to: wallet_core_http_request(
        struct_size: MemoryLayout<wallet_core_http_request>.size, method: texts.start(0),
        url: texts.start(1), headers: UnsafePointer(headers.baseAddress),
        header_count: headers.count,
        body: call.method == .post ? UnsafePointer(body.baseAddress) : nil,
        body_length: body.count,
        certificate_authorities: authorities == nil ? nil : texts.start(2),
        oldest_tls: wallet_core_tls(call.oldestTLS.rawValue), reach: call.reach.constant,
        connect_timeout_ms: Int32(clamping: call.connectTimeout),
        timeout_ms: Int32(clamping: call.timeout), largest_headers: call.largestHeaders,
        largest_body: call.largestBody, shares_connections: call.sharesConnections ? 1 : 0,
        reserved: 0))
    request = UnsafePointer(target)
  }

  /// Overwrites the body, which may contain tokens, when the call has ended. The host reads it no
  /// more, or reads zeros.
  func wipeBody() { Memory.wipe(UnsafeMutableRawBufferPointer(body)) }

  deinit {
    request.deallocate()
    headers.deallocate()
    wipeBody()
    body.deallocate()
  }
}

extension HTTPCall.Reach {
  fileprivate var constant: wallet_core_http_reach {
    switch self {
    case .anyAddress: WALLET_CORE_HTTP_REACH_ANY
    case .publicAddresses(orLoopback: false): WALLET_CORE_HTTP_REACH_PUBLIC
    // A URL with an address of this device needs no look-up and must not go by a proxy.
    case .thisDevice, .publicAddresses(orLoopback: true): WALLET_CORE_HTTP_REACH_PUBLIC_OR_LOOPBACK
    }
  }
}
