internal import CCurl
internal import WalletModel

/// One request as libcurl needs it. Its memory is freed with this object, which must outlive the
/// transfer.
final class CurlTransfer {
  let handle: UnsafeMutableRawPointer
  private let library: CurlLibrary
  private let exchange: CurlExchange
  private var headers: UnsafeMutablePointer<curl_slist>?

  init(
    _ request: HTTPRequest, to address: ProviderAddress, certificateAuthority: [UInt8]?,
    exchange: CurlExchange, library: CurlLibrary
  ) throws(WalletError) {
    guard let url = address.url(for: request.path) else {
      throw WalletError(.internalDefect, "A request has a path that is not plain.")
    }
    guard let handle = library.functions.easy_init() else { throw Self.refused }
    self.handle = handle
    self.library = library
    self.exchange = exchange
    try set(CURLOPT_URL, url)
    try set(CURLOPT_PROTOCOLS_STR, address.scheme.rawValue)
    try set(CURLOPT_FOLLOWLOCATION, 0)
    try set(CURLOPT_NOSIGNAL, 1)
    try set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
    try set(CURLOPT_CONNECTTIMEOUT_MS, Int(clamping: HTTPRequest.connectTimeout))
    try set(CURLOPT_TIMEOUT_MS, Int(clamping: max(request.timeout, 1)))
    if address.isLoopback { try set(CURLOPT_NOPROXY, "*") }
    // Without it a cancelled transfer waits for the resolver. Versions 7.85 and 7.86 do not have it
    // and wait.
    try? set(CURLOPT_QUICK_EXIT, 1)
    if address.scheme == .https { try library.disableKeyLog(handle) }
    try setTrust(certificateAuthority)
    try setReceivers()
    try setContent(request)
  }

  deinit {
    library.functions.easy_cleanup(handle)
    library.functions.slist_free_all(headers)
  }

  /// The status of the answer.
  var status: Int { number(CURLINFO_RESPONSE_CODE) }

  /// Returns the error of a transfer that ended with `code`.
  func failure(_ code: CURLcode) -> WalletError {
    let reason = library.functions.easy_strerror(code).map { String(cString: $0) } ?? ""
    return CurlFailure.error(
      code, systemCode: number(CURLINFO_OS_ERRNO), wasResolved: wasResolved, reason: reason)
  }

  /// Whether the transfer found the provider's address; a kept connection has it already.
  private var wasResolved: Bool {
    var lookup: curl_off_t = 0
    let code = withUnsafePointer(to: library.functions) {
      wallet_curl_get_offset($0, handle, CURLINFO_NAMELOOKUP_TIME_T, &lookup)
    }
    return code == CURLE_OK && lookup > 0 || number(CURLINFO_REQUEST_SIZE) > 0
  }

  private func setTrust(_ certificateAuthority: [UInt8]?) throws(WalletError) {
    try set(CURLOPT_SSL_VERIFYPEER, 1)
    try set(CURLOPT_SSL_VERIFYHOST, 2)
    guard let certificateAuthority else {
      return try set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
    }
    try set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_3))
    // Without these two the system's authorities would be trusted in addition to the given one.
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

  private func setContent(_ request: HTTPRequest) throws(WalletError) {
    // Disables 100-continue, because bodies are small.
    var lines = ["Expect:"]
    for (name, value) in request.headers {
      guard !name.isEmpty, name.utf8.allSatisfy(Self.isToken),
        value.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F })
      else { throw WalletError(.internalDefect, "A request has a header that cannot be sent.") }
      lines.append(value.isEmpty ? "\(name);" : "\(name): \(value)")
    }
    if request.method == .post {
      // The default of libcurl would be a form.
      if !request.headers.keys.contains(where: { $0.lowercased() == "content-type" }) {
        lines.append("Content-Type:")
      }
      try set(CURLOPT_POST, 1)
      try setBody(request.body)
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
      // The size comes first, because it decides how much is copied. One more zero byte ensures
      // that there is an address.
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

  private static func isToken(_ byte: UInt8) -> Bool {
    HostLiteral.isAlphanumeric(byte) || byte == UInt8(ascii: "-")
  }

  private static var refused: WalletError {
    WalletError(.outOfResources, "libcurl refused a request; it is out of memory or too old.")
  }
}
