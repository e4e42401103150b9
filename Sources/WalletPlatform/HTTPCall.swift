/// One HTTP request as a stack carries it out: libcurl, or the host's own stack.
public struct HTTPCall: Equatable, Sendable {
  public enum Method: String, Sendable {
    case get = "GET"
    case post = "POST"
  }

  public enum TLSVersion: Int32, Sendable {
    case v12 = 12
    case v13 = 13
  }

  /// The addresses to which the stack may connect.
  public enum Reach: Equatable, Sendable {
    /// Any address, by way of a proxy where the environment names one.
    case anyAddress
    /// The address of this device that the URL has.
    case thisDevice
    /// Those of the public internet only, whatever a name resolves to.
    case publicAddresses(orLoopback: Bool)
  }

  /// One header: a name and a value of printable ASCII characters.
  public struct Header: Equatable, Sendable {
    public let name: String
    public let value: String

    public init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  public var method: Method
  /// An absolute URL. Redirects are answers; they are not followed.
  public var url: String
  /// Every header besides `Host` and `Content-Length`.
  public var headers: [Header]
  /// Sent with every POST, even if it is empty, and never with GET.
  public var body: [UInt8]
  /// The PEM of the only authorities that may have issued the server's certificate; nil trusts those
  /// of the system.
  public var certificateAuthorities: [UInt8]?
  public var oldestTLS: TLSVersion
  public var reach: Reach
  /// Whether a connection may serve several requests. A stack that finds such a connection closed
  /// sends the request once more on a new one.
  public var sharesConnections: Bool
  public var connectTimeout: Milliseconds
  /// The longest time for the whole request, including the connection.
  public var timeout: Milliseconds
  /// The largest size of all headers of the answer, in bytes.
  public var largestHeaders: Int
  /// The largest body of the answer, in bytes.
  public var largestBody: Int

  public init(
    _ method: Method, _ url: String, headers: [Header], body: [UInt8],
    certificateAuthorities: [UInt8]?, oldestTLS: TLSVersion, reach: Reach,
    sharesConnections: Bool, connectTimeout: Milliseconds, timeout: Milliseconds,
    largestHeaders: Int, largestBody: Int
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
    self.certificateAuthorities = certificateAuthorities
    self.oldestTLS = oldestTLS
    self.reach = reach
    self.sharesConnections = sharesConnections
    self.connectTimeout = connectTimeout
    self.timeout = timeout
    self.largestHeaders = largestHeaders
    self.largestBody = largestBody
  }
}

/// What the host's HTTP stack reports of one call.
public struct HTTPReply: Equatable, Sendable {
  /// How the call ended; the numbers are those of the header.
  public enum Outcome: Int32, Sendable {
    case answered = 0
    case noNetwork = 1
    case notConnected = 2
    case timedOut = 3
    case tlsRefused = 4
    case incomplete = 5
    case tooLarge = 6
    case addressRefused = 7
  }

  public var outcome: Outcome
  /// Whether a byte of the request may have left the device.
  public var wasSent: Bool
  public var status: Int
  /// In their order; a name may appear several times.
  public var headers: [HTTPCall.Header]
  public var body: [UInt8]
  /// The URL that answered.
  public var url: String
  /// The address of the server, as a number.
  public var remoteAddress: String
  /// For developers; empty if the host says nothing.
  public var message: String

  public init(
    _ outcome: Outcome, wasSent: Bool, status: Int = 0, headers: [HTTPCall.Header] = [],
    body: [UInt8] = [], url: String = "", remoteAddress: String = "", message: String = ""
  ) {
    self.outcome = outcome
    self.wasSent = wasSent
    self.status = status
    self.headers = headers
    self.body = body
    self.url = url
    self.remoteAddress = remoteAddress
    self.message = message
  }
}
