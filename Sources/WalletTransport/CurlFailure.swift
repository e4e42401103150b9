internal import CCurl
internal import WalletModel
internal import WalletSystem

/// Turns libcurl's results into the network errors of the core.
enum CurlFailure {
  /// - Parameters:
  ///   - code: The result of the transfer; not CURLE_OK.
  ///   - systemCode: The errno of the last failed connect, or 0.
  ///   - wasResolved: Whether the address was found before the transfer ended.
  ///   - peer: Who was asked.
  ///   - reason: libcurl's text for `code`, which contains neither host nor path.
  static func error(
    _ code: CURLcode, systemCode: Int, wasResolved: Bool, peer: HTTPPeer, reason: String
  ) -> WalletError {
    var data: [String: WalletError.Value] = ["curl_code": .number(Int64(code.rawValue))]
    if systemCode != 0 { data["errno"] = .number(Int64(systemCode)) }
    let name = peer.rawValue
    let detail = "(libcurl: \(reason))"
    switch code {
    case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY:
      return WalletError(.noInternet, "The \(name)'s name was not found \(detail).", data: data)
    case CURLE_OPERATION_TIMEDOUT where !wasResolved:
      return WalletError(
        .noInternet, "The \(name)'s name was not found in time \(detail).", data: data)
    case CURLE_COULDNT_CONNECT where isWithoutNetwork(systemCode):
      return WalletError(.noInternet, "There is no network to the \(name) \(detail).", data: data)
    case CURLE_COULDNT_CONNECT:
      return WalletError(
        .serverUnreachable, "The \(name) refused the connection \(detail).", data: data)
    case CURLE_OPERATION_TIMEDOUT:
      return WalletError(
        .serverUnreachable, "The \(name) did not answer in time \(detail).", data: data)
    case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CERTPROBLEM,
      CURLE_SSL_CIPHER, CURLE_SSL_ISSUER_ERROR:
      return WalletError(
        .serverUnreachable,
        "The \(name)'s TLS was refused \(detail). "
          + "Check its certificate and the authorities of the \(peer.authorities).",
        data: data)
    case CURLE_SSL_CACERT_BADFILE:
      return WalletError(
        .configurationInvalid,
        "The certificate authority of the \(peer.authorities) is not valid PEM \(detail).",
        data: data)
    case CURLE_OUT_OF_MEMORY:
      return WalletError(.outOfResources, "Not enough memory for a request.", data: data)
    default:
      return WalletError(
        .serverUnreachable, "The \(name) did not answer completely \(detail).", data: data)
    }
  }

  private static func isWithoutNetwork(_ systemCode: Int) -> Bool {
    let error = SystemError(code: Int32(clamping: systemCode))
    return [.networkUnreachable, .hostUnreachable, .networkDown].contains(error)
  }
}

extension HTTPPeer {
  /// Where the authorities are named that may certify the server.
  fileprivate var authorities: String {
    switch self {
    case .provider: "embedded configuration"
    case .other: "configuration"
    }
  }
}
