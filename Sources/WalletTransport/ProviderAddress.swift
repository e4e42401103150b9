public import WalletModel

/// The address of the provider: a checked base URL.
public struct ProviderAddress: Equatable, Sendable {
  public enum Scheme: String, Sendable {
    case http
    case https
  }

  public let scheme: Scheme
  /// In lower case; an IPv6 address in brackets.
  public let host: String
  /// Nil for the default port of the scheme.
  public let port: UInt16?
  /// The start of every path: empty, or with a leading slash and without a trailing one.
  public let basePath: String
  /// Whether the host is an address of 127.0.0.0/8 or ::1. A name is never loopback, not even
  /// "localhost", because a resolver decides where it leads.
  public let isLoopback: Bool

  /// Reads `url`.
  ///
  /// - Parameter allowLoopbackHTTP: Whether `http` is accepted for a literal loopback address.
  /// - Throws: `configurationInvalid` for anything but `https://host[:port][/path]`, or the same
  ///   with `http` if that is allowed.
  public init(url: String, allowLoopbackHTTP: Bool) throws(WalletError) {
    let scheme: Scheme
    if url.hasPrefix("https://") {
      scheme = .https
    } else if url.hasPrefix("http://") {
      scheme = .http
    } else {
      throw Self.refusal("must start with https://")
    }
    guard url.utf8.count <= 2048, url.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
      throw Self.refusal("must be ASCII without spaces; write an international host in punycode")
    }
    let rest = url.dropFirst(scheme.rawValue.count + 3)
    guard !rest.contains(where: { "@?#\\%".contains($0) }) else {
      throw Self.refusal("must have no user, query, fragment or escapes")
    }
    let authority = rest.prefix { $0 != "/" }
    let (host, port) = try URLAuthority.split(authority, Self.refusal)
    let literal = try HostLiteral(host, Self.refusal)
    guard scheme == .https || (allowLoopbackHTTP && literal.isLoopback) else {
      throw Self.refusal(
        "may be http:// only to a literal loopback address, and only where the embedded "
          + "configuration allows it")
    }
    self.scheme = scheme
    self.host = host.lowercased()
    self.port = port
    self.basePath = try Self.basePath(rest.dropFirst(authority.count))
    self.isLoopback = literal.isLoopback
  }

  /// The base URL in its canonical form, without a trailing slash.
  public var url: String {
    "\(scheme.rawValue)://\(host)\(port.map { ":\($0)" } ?? "")\(basePath)"
  }

  /// Returns the URL of `path`, which starts with a slash; nil if the path could lead outside the
  /// provider's URL.
  public func url(for path: String) -> String? {
    Self.isPlain(path) ? url + path : nil
  }

  /// Returns the path of `url` if it is one of the provider's own; nil for any other one.
  public func path(of url: String) -> String? {
    guard url.utf8.starts(with: self.url.utf8) else { return nil }
    let path = String(Substring(url.utf8.dropFirst(self.url.utf8.count)))
    return Self.isPlain(path) ? path : nil
  }

  private static func basePath(_ path: Substring) throws(WalletError) -> String {
    guard !path.isEmpty, path != "/" else { return "" }
    let trimmed = path.last == "/" ? path.dropLast() : path
    guard isPlain(String(trimmed)) else {
      throw refusal(
        "has a path with characters other than letters, digits and -._~ between single slashes")
    }
    return String(trimmed)
  }

  /// Whether `path` consists of plain, non-empty segments, each after a slash, none of them `.` or
  /// `..`.
  private static func isPlain(_ path: String) -> Bool {
    guard path.first == "/" else { return false }
    return path.dropFirst().split(separator: "/", omittingEmptySubsequences: false).allSatisfy {
      !$0.isEmpty && $0 != "." && $0 != ".."
        && $0.utf8.allSatisfy { HostLiteral.isAlphanumeric($0) || "-._~".utf8.contains($0) }
    }
  }

  static func refusal(_ reason: String) -> WalletError {
    WalletError(.configurationInvalid, "The provider's URL \(reason).")
  }
}
