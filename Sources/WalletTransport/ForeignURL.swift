public import WalletModel

/// The address of a request to a host that is not the provider: an https URL.
public struct ForeignURL: Equatable, Sendable {
  /// The longest one, in bytes.
  public static let maximumLength = 8 * 1024

  /// As it was given, byte for byte.
  public let text: String

  /// Reads `text`.
  ///
  /// - Parameter allowLoopback: Whether the host may be this device: an address of 127.0.0.0/8 or
  ///   ::1, for which `http` is accepted too, or a name of the domain `localhost`.
  /// - Throws: `serverRefused` for anything but `https://host[:port][/path][?query]`, and for hosts
  ///   that cannot be of the public internet.
  public init(_ text: String, allowLoopback: Bool) throws(WalletError) {
    let scheme = text.hasPrefix("https://") ? "https://" : "http://"
    guard text.hasPrefix(scheme) else { throw Self.refusal("must start with https://") }
    guard text.utf8.count <= Self.maximumLength else {
      throw Self.refusal("is longer than \(Self.maximumLength) bytes")
    }
    let rest = text.dropFirst(scheme.count)
    let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    let (host, _) = try URLAuthority.split(authority, Self.refusal)
    let literal = try HostLiteral(host, Self.refusal)
    let name = host.lowercased()
    let isLocal = literal.isLoopback || name == "localhost" || name.hasSuffix(".localhost")
    guard scheme == "https://" || (allowLoopback && literal.isLoopback) else {
      throw Self.refusal("must start with https://")
    }
    guard isLocal ? allowLoopback : Self.mayBePublic(name) else {
      throw Self.refusal("leads to this device or to a private network")
    }
    guard Self.isWellFormed(rest.dropFirst(authority.count)) else {
      throw Self.refusal("has a fragment, or characters that a URL has only in escapes")
    }
    self.text = text
  }

  /// Domains that are never of the public internet (RFC 6761, 6762, 8375, and IANA's `internal`).
  private static let privateDomains = ["local", "internal", "home.arpa"]

  private static func mayBePublic(_ host: String) -> Bool {
    if let address = NetworkAddress(host) { return address.isPublic }
    let isPrivate = privateDomains.contains { host == $0 || host.hasSuffix("." + $0) }
    return host.contains(".") && !isPrivate
  }

  /// Whether `tail`, what follows the authority, has only the characters of a path and a query (RFC
  /// 3986 sections 3.3 and 3.4).
  private static func isWellFormed(_ tail: Substring) -> Bool {
    var digits = 0
    for byte in tail.utf8 {
      let isHexadecimal =
        byte >= 0x30 && byte <= 0x39 || byte | 0x20 >= 0x61 && byte | 0x20 <= 0x66
      if digits > 0 {
        guard isHexadecimal else { return false }
        digits -= 1
      } else if byte == UInt8(ascii: "%") {
        digits = 2
      } else if !HostLiteral.isAlphanumeric(byte), !"-._~!$&'()*+,;=:@/?".utf8.contains(byte) {
        return false
      }
    }
    return digits == 0
  }

  private static func refusal(_ reason: String) -> WalletError {
    WalletError(.serverRefused, "A URL of another party was refused: it \(reason).")
  }
}
