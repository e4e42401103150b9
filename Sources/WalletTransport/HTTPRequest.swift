public import WalletPlatform

/// A request to the provider.
public struct HTTPRequest: Equatable, Sendable {
  public typealias Method = HTTPCall.Method

  public var method: Method
  /// The path relative to the provider's URL, with a leading slash; letters, digits and `-._~/`
  /// only.
  public var path: String
  /// Names and values of printable ASCII characters.
  public var headers: [String: String]
  /// The body. It is sent with every POST, even if it is empty, and never with GET.
  public var body: [UInt8]
  /// The longest time to connect, for any request.
  public static let connectTimeout: Milliseconds = 10_000
  /// The longest time for the whole request, including the connection.
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
