// SPDX-License-Identifier: Apache-2.0
#if canImport(Darwin)
  import CWalletCore
  import Foundation
  import Synchronization
  import WalletHost

  /// Takes what arrives, as much as the limits allow. URLSession calls it on threads of its own.
  final class URLSessionReception: NSObject, URLSessionDataDelegate {
    private struct State {
      var body: [UInt8] = []
      var refusal: wallet_core_http_outcome?
      var remoteAddress: String?
      var wasSent = true
      var waiting: CheckedContinuation<HTTPAnswer, any Error>?
    }

    private let request: HTTPRequest
    private let state = Mutex(State())

    init(_ request: HTTPRequest) { self.request = request }

    func begin(_ task: URLSessionTask, _ waiting: CheckedContinuation<HTTPAnswer, any Error>) {
      state.withLock { $0.waiting = waiting }
      task.resume()
    }

    private func refuse(_ outcome: wallet_core_http_outcome) {
      state.withLock { $0.refusal = outcome }
    }

    /// A redirect is the answer.
    func urlSession(
      _ session: URLSession, task: URLSessionTask,
      willPerformHTTPRedirection response: HTTPURLResponse, newRequest: URLRequest
    ) async -> URLRequest? { nil }

    func urlSession(
      _ session: URLSession, didReceive challenge: URLAuthenticationChallenge
    ) async -> (URLSession.AuthChallengeDisposition, URLCredential?) {
      // No credentials for anybody.
      guard let trust = challenge.protectionSpace.serverTrust else {
        return (.rejectProtectionSpace, nil)
      }
      guard let authorities = request.certificateAuthorities else {
        return (.performDefaultHandling, nil)
      }
      guard Certificates.isTrusted(trust, authorities: authorities) else {
        refuse(WALLET_CORE_HTTP_TLS_REFUSED)
        return (.cancelAuthenticationChallenge, nil)
      }
      return (.useCredential, URLCredential(trust: trust))
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge
    ) async -> (URLSession.AuthChallengeDisposition, URLCredential?) {
      (.rejectProtectionSpace, nil)
    }

    func urlSession(
      _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse
    ) async -> URLSession.ResponseDisposition {
      let headers = Self.headers(response)
      let bytes = headers.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count }
      if bytes > request.largestHeaders { refuse(WALLET_CORE_HTTP_TOO_LARGE) }
      // URLSession decodes it, although no encoding was asked for.
      let encoding = headers.first { $0.name.lowercased() == "content-encoding" }
      if encoding != nil { refuse(WALLET_CORE_HTTP_INCOMPLETE) }
      return state.withLock { $0.refusal } == nil ? .allow : .cancel
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
      let fits = state.withLock { state in
        guard data.count <= request.largestBody - state.body.count else { return false }
        state.body += data
        return true
      }
      if !fits {
        refuse(WALLET_CORE_HTTP_TOO_LARGE)
        dataTask.cancel()
      }
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask,
      didFinishCollecting metrics: URLSessionTaskMetrics
    ) {
      guard let last = metrics.transactionMetrics.last else { return }
      state.withLock {
        $0.remoteAddress = last.remoteAddress
        $0.wasSent = metrics.transactionMetrics.contains { $0.requestStartDate != nil }
      }
    }

    /// The last call, after that of the metrics.
    func urlSession(
      _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
    ) {
      let end = state.withLock { state in
        defer { state.waiting = nil }
        return state.waiting.map { ($0, result(state, task.response, error)) }
      }
      if let (waiting, result) = end { waiting.resume(with: result) }
    }

    private func result(
      _ state: State, _ response: URLResponse?, _ error: (any Error)?
    ) -> Result<HTTPAnswer, any Error> {
      guard state.refusal == nil, error == nil, let response = response as? HTTPURLResponse else {
        let outcome = state.refusal ?? (error as? URLError)?.outcome ?? WALLET_CORE_HTTP_INCOMPLETE
        return .failure(HTTPFailure(outcome, wasSent: state.wasSent))
      }
      return .success(
        HTTPAnswer(
          status: response.statusCode, headers: Self.headers(response), body: state.body,
          url: response.url?.absoluteString ?? "", remoteAddress: state.remoteAddress))
    }

    private static func headers(_ response: URLResponse) -> [HTTPHeader] {
      ((response as? HTTPURLResponse)?.allHeaderFields ?? [:]).compactMap { name, value in
        guard let name = name as? String, let value = value as? String else { return nil }
        return HTTPHeader(name, value)
      }
    }
  }

  extension URLError {
    fileprivate var outcome: wallet_core_http_outcome {
      switch code {
      case .notConnectedToInternet, .cannotFindHost, .dnsLookupFailed, .dataNotAllowed,
        .internationalRoamingOff, .callIsActive:
        WALLET_CORE_HTTP_NO_NETWORK
      case .cannotConnectToHost: WALLET_CORE_HTTP_NOT_CONNECTED
      case .timedOut: WALLET_CORE_HTTP_TIMED_OUT
      case .secureConnectionFailed, .serverCertificateHasBadDate, .serverCertificateUntrusted,
        .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid:
        WALLET_CORE_HTTP_TLS_REFUSED
      default: WALLET_CORE_HTTP_INCOMPLETE
      }
    }
  }
#endif
