// SPDX-License-Identifier: Apache-2.0
#if os(Linux)
  import CLibcurl
  import Glibc
  import CWalletCore
  import WalletHost

  extension CurlTransfer {
    /// The answer of a transfer that has ended with `code`.
    func answer(_ code: CURLcode) throws -> HTTPAnswer {
      let status = host_curl_get_long(handle, CURLINFO_RESPONSE_CODE)
      guard code == CURLE_OK, reception.hasWholeHead, (200...599).contains(status) else {
        throw HTTPFailure(outcome(code), wasSent: wasSent, message: "libcurl: \(reason(code))")
      }
      // libcurl adds a path to a URL that has none, and the wallet wants its own, byte for byte.
      let wasRedirected = host_curl_get_long(handle, CURLINFO_REDIRECT_COUNT) > 0
      return HTTPAnswer(
        status: status, headers: reception.headers, body: reception.body,
        url: wasRedirected ? text(CURLINFO_EFFECTIVE_URL) ?? "" : request.url,
        remoteAddress: text(CURLINFO_PRIMARY_IP))
    }

    /// Whether a byte of the request may have left. Nothing does before the connection is there, with
    /// TLS; what libcurl has written to it counts only once the system has taken all of it.
    private var wasSent: Bool {
      host_curl_get_long(handle, CURLINFO_REQUEST_SIZE) > 0
        || host_curl_get_offset(handle, connected) > 0
    }

    private var connected: CURLINFO {
      request.url.hasPrefix("https://") ? CURLINFO_APPCONNECT_TIME_T : CURLINFO_CONNECT_TIME_T
    }

    private func outcome(_ code: CURLcode) -> wallet_core_http_outcome {
      if reception.isTooLarge { return WALLET_CORE_HTTP_TOO_LARGE }
      switch code {
      case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY:
        return WALLET_CORE_HTTP_NO_NETWORK
      case CURLE_COULDNT_CONNECT where reception.hasRefusedAddress:
        return WALLET_CORE_HTTP_ADDRESS_REFUSED
      case CURLE_COULDNT_CONNECT:
        let system = Int32(clamping: host_curl_get_long(handle, CURLINFO_OS_ERRNO))
        return [ENETUNREACH, EHOSTUNREACH, ENETDOWN].contains(system)
          ? WALLET_CORE_HTTP_NO_NETWORK : WALLET_CORE_HTTP_NOT_CONNECTED
      case CURLE_OPERATION_TIMEDOUT:
        // Without an answer of the resolver there is most likely no network.
        return host_curl_get_offset(handle, CURLINFO_NAMELOOKUP_TIME_T) > 0
          ? WALLET_CORE_HTTP_TIMED_OUT : WALLET_CORE_HTTP_NO_NETWORK
      case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CERTPROBLEM,
        CURLE_SSL_CIPHER, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_CACERT_BADFILE:
        return WALLET_CORE_HTTP_TLS_REFUSED
      // A line of the headers beyond libcurl's own limit: CURLE_TOO_LARGE of libcurl 8, and what
      // earlier ones say.
      case CURLcode(100),
        CURLE_OUT_OF_MEMORY where wasSent && !reception.hasWholeHead:
        return WALLET_CORE_HTTP_TOO_LARGE
      default: return WALLET_CORE_HTTP_INCOMPLETE
      }
    }

    private func reason(_ code: CURLcode) -> String {
      curl_easy_strerror(code).map { String(cString: $0) } ?? ""
    }

    private func text(_ info: CURLINFO) -> String? {
      host_curl_get_text(handle, info).map { String(cString: $0) }
    }
  }
#endif
