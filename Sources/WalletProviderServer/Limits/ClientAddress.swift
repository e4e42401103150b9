import NIOCore

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The address for which requests are counted: an IPv4 address, or the /64 of an IPv6 address,
/// which is what one customer has.
struct ClientAddress: Hashable, Sendable {
  private let isIPv4: Bool
  private let bits: UInt64

  /// The peer of a connection; nil if it has no IP address, for example on a Unix socket.
  init?(_ address: SocketAddress?) {
    guard let literal = address?.ipAddress else { return nil }
    self.init(literal: literal)
  }

  /// Parses an address as proxies write it: `192.0.2.1`, `192.0.2.1:80`, `2001:db8::1`,
  /// `[2001:db8::1]:80`.
  init?(literal: some StringProtocol) {
    var text = String(literal)
    if text.hasPrefix("[") {
      guard let end = text.firstIndex(of: "]") else { return nil }
      text = String(text[text.index(after: text.startIndex)..<end])
    } else if let colon = text.firstIndex(of: ":"), text.lastIndex(of: ":") == colon {
      text = String(text[..<colon])
    }
    // A zero byte, which C would take for the end, is not part of an address.
    guard !text.utf8.contains(0) else { return nil }
    var ipv4 = in_addr()
    var ipv6 = in6_addr()
    if inet_pton(AF_INET, text, &ipv4) == 1 {
      self.init(ipv4: ipv4)
    } else if inet_pton(AF_INET6, text, &ipv6) == 1 {
      self.init(ipv6: ipv6)
    } else {
      return nil
    }
  }

  private init(ipv4: in_addr) {
    isIPv4 = true
    bits = UInt64(UInt32(bigEndian: ipv4.s_addr))
  }

  private init(ipv6: in6_addr) {
    let bytes = withUnsafeBytes(of: ipv6) { Array($0) }
    let number = { (part: ArraySlice<UInt8>) in part.reduce(UInt64(0)) { $0 << 8 | UInt64($1) } }
    // ::ffff:0:0/96 is IPv4 on a socket that accepts both (RFC 4291 section 2.5.5.2).
    isIPv4 = bytes.prefix(10).allSatisfy { $0 == 0 } && bytes[10...11].allSatisfy { $0 == 0xFF }
    bits = number(isIPv4 ? bytes[12...] : bytes[..<8])
  }
}
