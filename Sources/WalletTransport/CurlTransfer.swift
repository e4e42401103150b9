internal import CCurl
internal import WalletModel
internal import WalletPlatform

/// One request as libcurl needs it. Its memory is freed with this object, which must outlive the
/// transfer.
final class CurlTransfer {
  let handle: UnsafeMutableRawPointer
  private let library: CurlLibrary
  private let exchange: CurlExchange
  private let peer: HTTPPeer
  private var headers: UnsafeMutablePointer<curl_slist>?

  init(
    _ call: HTTPCall, of peer: HTTPPeer, exchange: CurlExchange, library: CurlLibrary
  ) throws(WalletError) {
    guard let handle = library.functions.easy_init() else { throw Self.refused }
    self.handle = handle
    self.library = library
    self.exchange = exchange
    self.peer = peer
    try set(CURLOPT_URL, call.url)
    // Without this line libcurl would remove what looks like `..` from a path.
    try set(CURLOPT_PATH_AS_IS, 1)
    try set(CURLOPT_PROTOCOLS_STR, call.isHTTPS ? "https" : "http")
    try set(CURLOPT_FOLLOWLOCATION, 0)
    try set(CURLOPT_NOSIGNAL, 1)
    try set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
    try set(CURLOPT_CONNECTTIMEOUT_MS, Int(clamping: max(call.connectTimeout, 1)))
    try set(CURLOPT_TIMEOUT_MS, Int(clamping: max(call.timeout, 1)))
    // Without this option a cancelled transfer waits for the resolver. libcurl 7.85 and 7.86 do not
    // have the option, so there a cancelled transfer does wait.
    try? set(CURLOPT_QUICK_EXIT, 1)
    try setReach(call)
    if !call.sharesConnections {
      // On a kept connection that turns out to be closed, libcurl would send the request again. And
      // whoever resumes a TLS session is known as the one who began it.
      try set(CURLOPT_FRESH_CONNECT, 1)
      try set(CURLOPT_FORBID_REUSE, 1)
      try set(CURLOPT_SSL_SESSIONID_CACHE, 0)
    }
    if call.isHTTPS { try library.disableKeyLog(handle) }
    try setTrust(call)
    try setReceivers()
    try setContent(call)
  }

  deinit {
    library.functions.easy_cleanup(handle)
    library.functions.slist_free_all(headers)
  }

  /// The status of the answer.
  var status: Int { number(CURLINFO_RESPONSE_CODE) }

  /// Whether a byte of the request was handed to the connection.
  var wasSent: Bool { number(CURLINFO_REQUEST_SIZE) > 0 }

  /// Returns the error of a transfer that ended with `code`.
  func failure(_ code: CURLcode) -> WalletError {
    let reason = library.functions.easy_strerror(code).map { String(cString: $0) } ?? ""
    return CurlFailure.error(
      code, systemCode: number(CURLINFO_OS_ERRNO), wasResolved: wasResolved, peer: peer,
      reason: reason)
  }

  /// Whether the address was found. A kept connection needs no lookup, so a request that was sent
  /// counts too.
  private var wasResolved: Bool {
    var lookup: curl_off_t = 0
    let code = withUnsafePointer(to: library.functions) {
      wallet_curl_get_offset($0, handle, CURLINFO_NAMELOOKUP_TIME_T, &lookup)
    }
    return code == CURLE_OK && lookup > 0 || wasSent
  }

  private func setReach(_ call: HTTPCall) throws(WalletError) {
    guard call.reach != .anyAddress else { return }
    // A proxy would resolve the name itself, and could reach any address.
    try set(CURLOPT_NOPROXY, "*")
    guard case .publicAddresses = call.reach else { return }
    let code = withUnsafePointer(to: library.functions) {
      wallet_curl_set_socket_opener(
        $0, handle, CurlExchange.socketOpener, Unmanaged.passUnretained(exchange).toOpaque())
    }
    guard code == CURLE_OK else { throw Self.refused }
  }

  private func setTrust(_ call: HTTPCall) throws(WalletError) {
    try set(CURLOPT_SSL_VERIFYPEER, 1)
    try set(CURLOPT_SSL_VERIFYHOST, 2)
    try set(
      CURLOPT_SSLVERSION,
      Int(call.oldestTLS == .v13 ? CURL_SSLVERSION_TLSv1_3 : CURL_SSLVERSION_TLSv1_2))
    guard let certificateAuthority = call.certificateAuthorities else { return }
    // Without these two lines the system's authorities would be trusted besides the given one.
    try set(CURLOPT_CAINFO, nil)
    try set(CURLOPT_CAPATH, nil)
    let code = withUnsafePointer(to: library.functions) { curl in
      certificateAuthority.withUnsafeBytes {
        wallet_curl_set_blob(curl, handle, CURLOPT_CAINFO_BLOB, $0.baseAddress, $0.count)
      }
    }
    guard code == CURLE_OK else {
      throw CurlLibrary.missing(
        "built with a TLS library that does not support authorities from memory")
    }
  }

  private func setReceivers() throws(WalletError) {
    // Unretained: this object keeps the exchange longer than libcurl uses it.
    let context = Unmanaged.passUnretained(exchange).toOpaque()
    let codes = withUnsafePointer(to: library.functions) { curl in
      [
        wallet_curl_set_receiver(
          curl, handle, CURLOPT_WRITEFUNCTION, CurlExchange.bodyReceiver, CURLOPT_WRITEDATA,
          context),
        wallet_curl_set_receiver(
          curl, handle, CURLOPT_HEADERFUNCTION, CurlExchange.headerReceiver, CURLOPT_HEADERDATA,
          context),
      ]
    }
    guard codes.allSatisfy({ $0 == CURLE_OK }) else { throw Self.refused }
  }

  private func setContent(_ call: HTTPCall) throws(WalletError) {
    // Disables 100-continue, because bodies are small.
    var lines = ["Expect:"]
    for header in call.headers {
      lines.append(
        header.value.isEmpty ? "\(header.name);" : "\(header.name): \(header.value)")
    }
    if call.method == .post {
      // Without this line libcurl would declare the body a web form.
      if !call.headers.contains(where: { $0.name.lowercased() == "content-type" }) {
        lines.append("Content-Type:")
      }
      try set(CURLOPT_POST, 1)
      try setBody(call.body)
    }
    for line in lines {
      guard let longer = library.functions.slist_append(headers, line) else { throw Self.refused }
      headers = longer
    }
    let code = withUnsafePointer(to: library.functions) {
      wallet_curl_set_list($0, handle, CURLOPT_HTTPHEADER, headers)
    }
    guard code == CURLE_OK else { throw Self.refused }
  }

  private func setBody(_ body: [UInt8]) throws(WalletError) {
    let codes = withUnsafePointer(to: library.functions) { curl in
      // The size is set first, because it decides how much libcurl copies. The extra zero byte
      // ensures that an empty body has an address too.
      (body + [0]).withUnsafeBytes { bytes in
        [
          wallet_curl_set_size(curl, handle, CURLOPT_POSTFIELDSIZE_LARGE, Int(body.count)),
          wallet_curl_set_text(
            curl, handle, CURLOPT_COPYPOSTFIELDS,
            bytes.baseAddress?.assumingMemoryBound(to: CChar.self)),
        ]
      }
    }
    guard codes.allSatisfy({ $0 == CURLE_OK }) else { throw Self.refused }
  }

  private func set(_ option: CURLoption, _ value: Int) throws(WalletError) {
    let code = withUnsafePointer(to: library.functions) {
      wallet_curl_set_long($0, handle, option, value)
    }
    guard code == CURLE_OK else { throw Self.refused }
  }

  private func set(_ option: CURLoption, _ value: String?) throws(WalletError) {
    let code = withUnsafePointer(to: library.functions) { curl in
      wallet_curl_set_text(curl, handle, option, value)
    }
    guard code == CURLE_OK else { throw Self.refused }
  }

  private func number(_ info: CURLINFO) -> Int {
    var value = 0
    let code = withUnsafePointer(to: library.functions) {
      wallet_curl_get_long($0, handle, info, &value)
    }
    return code == CURLE_OK ? value : 0
  }

  private static var refused: WalletError {
    WalletError(.outOfResources, "libcurl refused a request; it is out of memory or too old.")
  }
}

extension HTTPCall {
  fileprivate var isHTTPS: Bool { url.hasPrefix("https://") }
}
