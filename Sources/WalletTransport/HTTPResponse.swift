public import WalletModel

/// A complete answer.
public struct HTTPResponse: Equatable, Sendable {
  /// The largest body of an answer, in bytes: 1 MiB.
  public static let largestBody = 1024 * 1024
  /// The largest size of all headers of an answer, in bytes: 64 KiB.
  public static let largestHeaders = 64 * 1024

  public var status: Int
  /// The headers by lower-case name. Repeated headers are joined with a comma.
  public var headers: [String: String]
  public var body: [UInt8]

  public init(status: Int, headers: [String: String] = [:], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// Adds a header of any case to those of the same name.
  mutating func addHeader(_ name: String, _ value: String) {
    let name = name.lowercased()
    headers[name] = headers[name].map { "\($0), \(value)" } ?? value
  }

  /// The entity tag as it was sent.
  public var entityTag: String? { headers["etag"] }

  /// The seconds that the provider asks to wait; nil if it does not ask or sends a date.
  public var retryAfterSeconds: Int64? {
    headers["retry-after"].flatMap { Int64($0) }.flatMap { $0 >= 0 ? $0 : nil }
  }

  /// Whether a later attempt may succeed: the provider failed (5xx), was overloaded (429) or did
  /// not receive the request in time (408).
  public var isTemporary: Bool { status >= 500 || status == 429 || status == 408 }

  /// Nil for 2xx and 304 of the provider; otherwise the error for callers that do not handle the status:
  /// `serverUnreachable` if a later attempt may succeed, `serverRefused` for everything else.
  public var failure: WalletError? { failure(of: .provider) }

  /// The same of anybody.
  public func failure(of peer: HTTPPeer) -> WalletError? {
    var data: [String: WalletError.Value] = ["http_status": .number(Int64(status))]
    switch status {
    case 200...299, 304: return nil
    case _ where isTemporary:
      if let retryAfterSeconds { data["retry_after_s"] = .number(retryAfterSeconds) }
      return WalletError(
        .serverUnreachable,
        "The \(peer.rawValue) cannot answer now (HTTP \(status)). Try again later.", data: data)
    case 300...399 where peer == .other:
      return WalletError(
        .serverRefused,
        "The other party's URL redirects (HTTP \(status)); redirects are not followed.", data: data)
    case 300...399:
      return WalletError(
        .serverRefused,
        "The provider's URL redirects (HTTP \(status)); redirects are not followed. "
          + "Configure the URL that the provider listens at.", data: data)
    default:
      return WalletError(
        .serverRefused, "The \(peer.rawValue) refused the request (HTTP \(status)).", data: data)
    }
  }
}
