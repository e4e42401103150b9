public import WalletModel
public import WalletPlatform

/// A request to a host that is not the provider.
public struct ForeignRequest: Equatable, Sendable {
  /// What a POST carries.
  public struct Content: Equatable, Sendable {
    public let type: String
    public let bytes: [UInt8]

    public init(_ type: String, _ bytes: [UInt8]) {
      self.type = type
      self.bytes = bytes
    }
  }

  public var url: ForeignURL
  /// Makes the request a POST; nil makes it a GET.
  public var content: Content?
  /// The media types that a successful answer may have, without parameters and in lower case. At
  /// least one.
  public var accepts: [String]
  /// The largest body of the answer, in bytes.
  public var largestBody: Int
  /// The longest time for all of it, the connection included.
  public var timeout: Milliseconds

  public init(
    _ url: ForeignURL, content: Content? = nil, accepts: [String], largestBody: Int = 64 * 1024,
    timeout: Milliseconds = 10_000
  ) {
    self.url = url
    self.content = content
    self.accepts = accepts
    self.largestBody = largestBody
    self.timeout = timeout
  }
}

/// Requests to hosts that are not the provider, each on a connection of its own.
///
/// Nothing in a request tells one wallet from another: no cookie, no user agent, no language, no
/// resumed TLS session. Nothing is sent twice.
public struct ForeignClient {
  /// The longest time to connect, in milliseconds.
  static let connectTimeout: Milliseconds = 5_000
  static let largestHeaders = 64 * 1024

  private let stack: any HTTPStack
  private let allowLoopback: Bool

  /// - Parameter allowLoopback: Whether addresses of this device may be reached. Those of private
  ///   networks never are.
  public init(stack: any HTTPStack, allowLoopback: Bool) {
    self.stack = stack
    self.allowLoopback = allowLoopback
  }

  /// Returns `text` as the address of a request.
  public func url(_ text: String) throws(WalletError) -> ForeignURL {
    try ForeignURL(text, allowLoopback: allowLoopback)
  }

  /// Sends `request` and waits for the answer. Blocks, so it must not be called on a thread of the
  /// host. Any status is an answer, also a redirect, which is not followed.
  ///
  /// - Parameter authorities: The PEM of the only authorities that may have issued the host's
  ///   certificate; nil trusts those of the system, empty none.
  /// - Throws: Also if the answer is successful and its type is not in `request.accepts`.
  public func send(
    _ request: ForeignRequest, authorities: [UInt8]?, cancellation: Cancellation
  ) throws(HTTPFailure) -> HTTPResponse {
    guard authorities?.isEmpty != true else {
      throw HTTPFailure(
        WalletError(
          .serverUnreachable,
          "None of the configuration's authorities for the hosts of other parties counts now."),
        wasSent: false)
    }
    var headers = [HTTPCall.Header("Accept", request.accepts.joined(separator: ", "))]
    if let content = request.content { headers.append(.init("Content-Type", content.type)) }
    let call = HTTPCall(
      request.content == nil ? .get : .post, request.url.text, headers: headers,
      body: request.content?.bytes ?? [], certificateAuthorities: authorities, oldestTLS: .v12,
      reach: .publicAddresses(orLoopback: allowLoopback), sharesConnections: false,
      connectTimeout: Self.connectTimeout,
      timeout: request.timeout,
      largestHeaders: Self.largestHeaders, largestBody: request.largestBody)
    let answer = try stack.perform(call, of: .other, cancellation: cancellation)
    guard answer.isAcceptable(to: request) else {
      throw HTTPFailure(
        WalletError(
          .serverRefused, "The other party's answer has a type that was not asked for."),
        wasSent: true)
    }
    return answer
  }
}

extension HTTPResponse {
  /// The media type without parameters, in lower case; nil if there is none.
  public var mediaType: String? {
    guard let type = headers["content-type"]?.prefix(while: { $0 != ";" }).lowercased() else {
      return nil
    }
    return type.filter { $0 != " " && $0 != "\t" }
  }

  /// Only a successful answer with a body must have one of the types.
  fileprivate func isAcceptable(to request: ForeignRequest) -> Bool {
    guard (200...299).contains(status), !body.isEmpty else { return true }
    return mediaType.map(request.accepts.contains) ?? false
  }
}
