import NIOCore
import WalletSystem

/// An IP address, or a network like `10.0.0.0/8`.
public struct AddressRange: Sendable, Equatable {
  /// The loopback addresses, which only programs on this machine can use.
  public static let loopback = ["127.0.0.0/8", "::1"].compactMap { AddressRange($0) }

  /// The text that the range was made from.
  public let text: String
  /// The address as 16 bytes.
  private let bytes: [UInt8]
  /// How many leading bits, of the 128, all addresses in the range share.
  private let length: Int

  /// Nil unless `text` is an address or a network; the bits after the prefix must be zero.
  public init?(_ text: String) {
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard let address = parts.first, let bytes = Self.bytes(String(address)) else { return nil }
    let width = address.contains(":") ? 128 : 32
    var prefix = width
    if parts.count == 2 {
      // The length has no sign and no leading zero, so that each range has only one spelling.
      guard let number = Int(parts[1]), (0...width).contains(number), String(number) == parts[1]
      else { return nil }
      prefix = number
    }
    self.text = text
    self.bytes = bytes
    length = 128 - width + prefix
    guard Self.masked(bytes, length) == bytes else { return nil }
  }

  /// Whether the peer of a connection is in the range; false if the peer has no IP address.
  func contains(_ peer: SocketAddress) -> Bool {
    guard let text = peer.ipAddress, let bytes = Self.bytes(text) else { return false }
    return Self.masked(bytes, length) == self.bytes
  }

  /// The 16 bytes of an address. An IPv4 address becomes the IPv6 address in ::ffff:0:0/96 that a
  /// socket for both versions shows for it (RFC 4291 section 2.5.5.2).
  private static func bytes(_ text: String) -> [UInt8]? {
    // C functions would take a zero byte for the end of the text and ignore what follows.
    guard !text.utf8.contains(0) else { return nil }
    if let ipv4 = InternetAddress.ipv4(text) {
      return [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF] + ipv4
    }
    return InternetAddress.ipv6(text)
  }

  private static func masked(_ bytes: [UInt8], _ length: Int) -> [UInt8] {
    bytes.enumerated().map { index, byte in
      let kept = min(max(length - 8 * index, 0), 8)
      return kept == 0 ? 0 : byte & (0xFF << UInt8(8 - kept))
    }
  }
}
