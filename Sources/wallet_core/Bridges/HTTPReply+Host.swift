internal import CWalletCore
internal import WalletModel
internal import WalletPlatform

/// The reply of a host's HTTP bridge, checked and copied.
extension HTTPReply {
  private static let bodyLimit = 16 << 20
  private static let headerLimit = 1024
  /// Of the URL, of an address and of a header's name and value, in bytes.
  private static let textLimit = 64 << 10

  init(_ response: UnsafePointer<wallet_core_http_response>?) throws(WalletError) {
    let minimum = MemoryLayout<wallet_core_http_response>.size
    let response = try StructInput.copy(
      response, "http_response", minimum: minimum, empty: .init())
    guard let outcome = Outcome(rawValue: response.outcome.rawValue) else {
      throw .argument("outcome is not one of WALLET_CORE_HTTP_....")
    }
    let message = try TextInput.clipped(response.message, "message", limit: 1024)
    guard outcome == .answered else {
      self.init(outcome, wasSent: response.was_sent != 0, message: message)
      return
    }
    // A size_t beyond Int.max arrives negative.
    guard (0...Self.bodyLimit).contains(response.body_length) else {
      throw .argument("body_length is greater than \(Self.bodyLimit).")
    }
    guard response.body != nil || response.body_length == 0 else {
      throw .argument("body is NULL, but body_length is not 0.")
    }
    guard (0...Self.headerLimit).contains(response.header_count) else {
      throw .argument("header_count is greater than \(Self.headerLimit).")
    }
    guard response.headers != nil || response.header_count == 0 else {
      throw .argument("headers is NULL, but header_count is not 0.")
    }
    var headers: [HTTPCall.Header] = []
    for header in UnsafeBufferPointer(start: response.headers, count: response.header_count) {
      headers.append(
        HTTPCall.Header(
          try TextInput.ofServer(header.name, "a header's name", limit: Self.textLimit),
          try TextInput.ofServer(header.value, "a header's value", limit: Self.textLimit)))
    }
    self.init(
      outcome, wasSent: true, status: Int(response.http_status), headers: headers,
      body: Array(UnsafeBufferPointer(start: response.body, count: response.body_length)),
      url: try TextInput.ofServer(response.url, "url", limit: Self.textLimit),
      remoteAddress: try TextInput.clipped(
        response.remote_address, "remote_address", limit: Self.textLimit), message: message)
  }
}
