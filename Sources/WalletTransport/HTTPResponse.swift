public import WalletModel

/// An answer of the provider, complete.
public struct HTTPResponse: Equatable, Sendable {
  /// The most bytes that an answer's body may have: 1 MiB.
  public static let largestBody = 1024 * 1024
  /// The most bytes that an answer's headers may have together: 64 KiB.
  public static let largestHeaders = 64 * 1024

  public var status: Int
  /// By lower-case name. What is sent twice is joined with a comma.
  public var headers: [String: String]
  public var body: [UInt8]

  public init(status: Int, headers: [String: String] = [:], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// The entity tag, as it was sent.
  public var entityTag: String? { headers["etag"] }

  /// How many seconds the provider asks to wait; nil where it does not, or names a date.
  public var retryAfterSeconds: Int64? {
    headers["retry-after"].flatMap { Int64($0) }.flatMap { $0 >= 0 ? $0 : nil }
  }

  /// Whether a later try may go well: the provider failed (5xx), had too much to do (429), or did not
  /// get the request in time (408).
  public var isTemporary: Bool { status >= 500 || status == 429 || status == 408 }

  /// Nil for 2xx and 304; else the error for callers that know nothing better of the status:
  /// `serverUnreachable` where a later try may go well, `serverRefused` for all else.
  public var failure: WalletError? {
    var data: [String: WalletError.Value] = ["http_status": .number(Int64(status))]
    switch status {
    case 200...299, 304: return nil
    case _ where isTemporary:
      if let retryAfterSeconds { data["retry_after_s"] = .number(retryAfterSeconds) }
      return WalletError(
        .serverUnreachable, "The provider cannot answer now (HTTP \(status)). Try again later.",
        data: data)
    case 300...399:
      return WalletError(
        .serverRefused,
        "The provider's URL redirects (HTTP \(status)); redirects are not followed. "
          + "Configure the URL that the provider listens at.", data: data)
    default:
      return WalletError(
        .serverRefused, "The provider refused the request (HTTP \(status)).", data: data)
    }
  }
}
