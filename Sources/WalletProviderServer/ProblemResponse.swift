public import Hummingbird
import HTTPTypes
import WalletProtocol
public import WalletProvider

extension Response {
  /// A problem as RFC 9457 has it.
  public static func problem(_ error: ProblemError, allow: String? = nil) -> Response {
    var headers: HTTPFields = [.contentType: "application/problem+json", .cacheControl: "no-store"]
    if let allow { headers[.allow] = allow }
    if error.problem.kind == .unavailable { headers[.retryAfter] = "1" }
    let body = (try? WireJSON.encode(error.problem)) ?? []
    return Response(
      status: .init(code: error.problem.status), headers: headers,
      body: .init(byteBuffer: ByteBuffer(bytes: body)))
  }

  /// 200 with a compact JWS.
  static func signed(_ compact: String, _ headers: HTTPFields) -> Response {
    var headers = headers
    headers[.contentType] = "application/jwt"
    return Response(
      status: .ok, headers: headers, body: .init(byteBuffer: ByteBuffer(string: compact)))
  }

  /// 200 with `value` as JSON that nobody may keep.
  public static func json(_ value: some Encodable) throws -> Response {
    Response(
      status: .ok, headers: [.contentType: "application/json", .cacheControl: "no-store"],
      body: .init(byteBuffer: ByteBuffer(bytes: try WireJSON.encode(value))))
  }
}
