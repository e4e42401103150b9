public import WalletPlatform

/// A request to the provider.
public struct HTTPRequest: Equatable, Sendable {
  public enum Method: String, Sendable {
    case get = "GET"
    case post = "POST"
  }

  public var method: Method
  /// From the provider's URL on, with a leading slash; letters, digits and `-._~/` only.
  public var path: String
  /// Names and values of printable ASCII characters.
  public var headers: [String: String]
  /// Sent with POST only, also when empty.
  public var body: [UInt8]
  /// How long the connection may take, of any request.
  public static let connectTimeout: Milliseconds = 10_000
  /// How long everything may take, the connection included.
  public var timeout: Milliseconds

  public init(
    _ method: Method, _ path: String, headers: [String: String] = [:], body: [UInt8] = [],
    timeout: Milliseconds = 30_000
  ) {
    self.method = method
    self.path = path
    self.headers = headers
    self.body = body
    self.timeout = timeout
  }
}
