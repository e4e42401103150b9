// SPDX-License-Identifier: Apache-2.0
#if canImport(Darwin)
  import CWalletCore
  import Foundation
  import WalletHost

  /// HTTP by the URLSession of Apple's systems. Neither compiled nor run so far. Each request has a
  /// session of its own: nothing is kept for the next one.
  public struct URLSessionStack: HTTPStack {
    public init() {}

    public func send(_ request: HTTPRequest) async throws -> HTTPAnswer {
      guard !Task.isCancelled else {
        throw HTTPFailure(WALLET_CORE_HTTP_INCOMPLETE, wasSent: false, message: "Cancelled.")
      }
      guard let url = URL(string: request.url, encodingInvalidCharacters: false) else {
        throw HTTPFailure(WALLET_CORE_HTTP_NO_NETWORK, wasSent: false, message: "This is no URL.")
      }
      if request.reach != WALLET_CORE_HTTP_REACH_ANY {
        // URLSession looks the name up once more. The library checks the address that it reports,
        // and a server at another address does not have the certificate of this name.
        try await AddressLookup.check(url.host() ?? "", reach: request.reach)
      }
      let reception = URLSessionReception(request)
      let session = URLSession(
        configuration: Self.configuration(request), delegate: reception, delegateQueue: nil)
      defer { session.invalidateAndCancel() }
      let task = session.dataTask(with: Self.request(request, url))
      return try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { reception.begin(task, $0) }
      } onCancel: {
        task.cancel()
      }
    }

    private static func configuration(_ request: HTTPRequest) -> URLSessionConfiguration {
      let result = URLSessionConfiguration.ephemeral
      result.httpCookieStorage = nil
      result.httpShouldSetCookies = false
      result.urlCredentialStorage = nil
      result.urlCache = nil
      result.requestCachePolicy = .reloadIgnoringLocalAndRemoteCacheData
      result.tlsMinimumSupportedProtocolVersion =
        request.oldestTLS == WALLET_CORE_TLS_1_2 ? .TLSv12 : .TLSv13
      // URLSession has no time limit for the connection alone: until data comes, this one counts.
      result.timeoutIntervalForRequest = Double(request.timeout) / 1000
      result.timeoutIntervalForResource = Double(request.timeout) / 1000
      // A proxy would resolve the name itself.
      if request.reach != WALLET_CORE_HTTP_REACH_ANY { result.connectionProxyDictionary = [:] }
      return result
    }

    private static func request(_ request: HTTPRequest, _ url: URL) -> URLRequest {
      var result = URLRequest(url: url)
      result.httpMethod = request.method
      result.httpBody = request.body.map { Data($0) }
      // URLSession insists on these and would tell the app, the system and its language.
      let constants = [("User-Agent", "wallet"), ("Accept-Language", "*"), ("Accept", "*/*")]
      for (name, value) in constants + [("Accept-Encoding", "identity")] {
        result.setValue(value, forHTTPHeaderField: name)
      }
      for header in request.headers {
        result.setValue(header.value, forHTTPHeaderField: header.name)
      }
      return result
    }
  }
#endif
