import NIOCore
import WalletSystem

/// The address for which requests are counted. For IPv6 it is the /64 that contains the address,
/// because each customer usually has a whole /64.
struct ClientAddress: Hashable, Sendable {
  private let isIPv4: Bool
  private let bits: UInt64

  private init(isIPv4: Bool, bits: UInt64) {
    self.isIPv4 = isIPv4
    self.bits = bits
  }

  /// The /48 of an IPv6 address, because some customers have a whole /48; nil for an IPv4 address.
  var site: ClientAddress? {
    isIPv4 ? nil : ClientAddress(isIPv4: false, bits: bits & ~0xFFFF)
  }

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
    // C functions would take a zero byte for the end of the text and ignore what follows.
    guard !text.utf8.contains(0) else { return nil }
    if let ipv4 = InternetAddress.ipv4(text) {
      isIPv4 = true
      bits = Self.number(ipv4[...])
    } else if let ipv6 = InternetAddress.ipv6(text) {
      // A socket for both versions shows an IPv4 address as one in ::ffff:0:0/96 (RFC 4291 section
      // 2.5.5.2).
      isIPv4 = ipv6.prefix(10).allSatisfy { $0 == 0 } && ipv6[10...11].allSatisfy { $0 == 0xFF }
      bits = Self.number(isIPv4 ? ipv6[12...] : ipv6[..<8])
    } else {
      return nil
    }
  }

  private static func number(_ part: ArraySlice<UInt8>) -> UInt64 {
    part.reduce(0) { $0 << 8 | UInt64($1) }
  }
}
