public import Hummingbird
import HTTPTypes
import WalletProtocol
public import WalletProvider

/// A problem as an HTTP response (RFC 9457).
struct ProblemBody {
  let headers: HTTPFields
  let bytes: [UInt8]

  init(_ error: ProblemError, allow: String? = nil) {
    var headers: HTTPFields = [.contentType: "application/problem+json", .cacheControl: "no-store"]
    if let allow { headers[.allow] = allow }
    if let seconds = error.retryAfterSeconds { headers[.retryAfter] = String(seconds) }
    self.headers = headers
    bytes = (try? WireJSON.encode(error.problem)) ?? []
  }
}

extension Response {
  /// The response for a problem.
  public static func problem(_ error: ProblemError, allow: String? = nil) -> Response {
    let body = ProblemBody(error, allow: allow)
    return Response(
      status: .init(code: error.problem.status), headers: body.headers,
      body: .init(byteBuffer: ByteBuffer(bytes: body.bytes)))
  }

  /// 200 with a compact JWS.
  static func signed(_ compact: String, _ headers: HTTPFields) -> Response {
    text(compact, type: "application/jwt", headers)
  }

  /// 200 with `text` of the media type `type`.
  static func text(_ text: String, type: String, _ headers: HTTPFields) -> Response {
    var headers = headers
    headers[.contentType] = type
    return Response(
      status: .ok, headers: headers, body: .init(byteBuffer: ByteBuffer(string: text)))
  }

  /// 200 with `value` as JSON that must not be cached.
  public static func json(_ value: some Encodable) throws -> Response {
    Response(
      status: .ok, headers: [.contentType: "application/json", .cacheControl: "no-store"],
      body: .init(byteBuffer: ByteBuffer(bytes: try WireJSON.encode(value))))
  }
}
