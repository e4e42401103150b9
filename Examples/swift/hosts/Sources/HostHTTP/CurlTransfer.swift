// SPDX-License-Identifier: Apache-2.0
#if os(Linux)
  import CLibcurl
  import CWalletCore
  import WalletHost

  /// A request as libcurl needs it. Reception and body must outlive it.
  final class CurlTransfer {
    let handle: UnsafeMutableRawPointer
    let request: HTTPRequest
    let reception: CurlReception
    private var headers: UnsafeMutablePointer<curl_slist>?

    init(
      _ request: HTTPRequest, body: UnsafeBufferPointer<UInt8>, to reception: CurlReception
    ) throws {
      guard let handle = curl_easy_init() else { throw CurlLibrary.refused }
      self.handle = handle
      self.request = request
      self.reception = reception
      try setAddress()
      try setTrust()
      try setHeaders()
      if request.body != nil {
        try set(CURLOPT_POST, 1)
        try check(host_curl_set_body(handle, body.baseAddress, body.count))
      }
      try check(
        host_curl_set_receivers(
          handle, CurlReception.header, CurlReception.content, CurlReception.opener,
          Unmanaged.passUnretained(reception).toOpaque()))
    }

    deinit {
      curl_easy_cleanup(handle)
      curl_slist_free_all(headers)
    }

    private func setAddress() throws {
      let isSecure = request.url.hasPrefix("https://")
      try set(CURLOPT_URL, request.url)
      // Otherwise libcurl would remove what looks like `..`.
      try set(CURLOPT_PATH_AS_IS, 1)
      try set(CURLOPT_PROTOCOLS_STR, isSecure ? "https" : "http")
      try set(CURLOPT_DISALLOW_USERNAME_IN_URL, 1)
      try set(CURLOPT_FOLLOWLOCATION, 0)
      try set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
      // libcurl's signals are for the whole process.
      try set(CURLOPT_NOSIGNAL, 1)
      try set(CURLOPT_CONNECTTIMEOUT_MS, max(request.connectTimeout, 1))
      try set(CURLOPT_TIMEOUT_MS, max(request.timeout, 1))
      // So that a request that is stopped does not wait for its name. libcurl 7.85 and 7.86 lack it.
      try? set(CURLOPT_QUICK_EXIT, 1)
      // Neither a kept connection nor a TLS session tells that two requests are of the same wallet.
      try set(CURLOPT_FRESH_CONNECT, 1)
      try set(CURLOPT_FORBID_REUSE, 1)
      try set(CURLOPT_SSL_SESSIONID_CACHE, 0)
      // A proxy would resolve the name itself, and http:// is only for this device.
      if request.reach != WALLET_CORE_HTTP_REACH_ANY || !isSecure { try set(CURLOPT_NOPROXY, "*") }
      // What a proxy answers is not the answer.
      try set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
    }

    private func setTrust() throws {
      try set(CURLOPT_SSL_VERIFYPEER, 1)
      try set(CURLOPT_SSL_VERIFYHOST, 2)
      let isNew = request.oldestTLS != WALLET_CORE_TLS_1_2
      try set(CURLOPT_SSLVERSION, Int(isNew ? CURL_SSLVERSION_TLSv1_3 : CURL_SSLVERSION_TLSv1_2))
      guard let authorities = request.certificateAuthorities else { return }
      // Otherwise those of the system would be trusted too.
      try set(CURLOPT_CAINFO, nil)
      try set(CURLOPT_CAPATH, nil)
      try check(host_curl_set_authorities(handle, authorities))
    }

    private func setHeaders() throws {
      // A name without a value removes the header that libcurl would add.
      let names = Set(request.headers.map { $0.name.lowercased() })
      let unwanted = ["Accept", "Content-Type", "Expect", "User-Agent"]
      var lines = unwanted.filter { !names.contains($0.lowercased()) }.map { "\($0):" }
      for header in request.headers {
        lines.append(header.value.isEmpty ? "\(header.name);" : "\(header.name): \(header.value)")
      }
      for line in lines {
        guard let longer = curl_slist_append(headers, line) else { throw CurlLibrary.refused }
        headers = longer
      }
      try check(host_curl_set_list(handle, CURLOPT_HTTPHEADER, headers))
    }

    private func set(_ option: CURLoption, _ value: Int) throws {
      try check(host_curl_set_long(handle, option, value))
    }

    private func set(_ option: CURLoption, _ value: String?) throws {
      try check(host_curl_set_text(handle, option, value))
    }

    private func check(_ code: CURLcode) throws {
      if code != CURLE_OK { throw CurlLibrary.refused }
    }
  }
#endif
