// SPDX-License-Identifier: Apache-2.0

/// An address of IPv6, or of IPv4 as ::ffff:a.b.c.d.
struct InternetAddress {
  private let bits: UInt128

  /// - Parameter bytes: 16.
  init(_ bytes: [UInt8]) {
    bits = bytes.reduce(0) { $0 << 8 | UInt128($1) }
  }

  /// Whether it is an address of this device: 127.0.0.0/8 or ::1.
  var isLoopback: Bool { ipv4.map { $0 >> 24 == 127 } ?? (bits == 1) }

  /// Whether it is of the public internet, by IANA's registries of special addresses. An IPv6
  /// address that leads to an IPv4 one is judged by that.
  var isPublic: Bool {
    if let ipv4 { return !Self.special4.contains { ipv4 >> (32 - $1) == $0 >> (32 - $1) } }
    return bits >> 125 == 1 && !Self.special6.contains { UInt32(bits >> 96) >> (32 - $1) == $0 }
  }

  /// The IPv4 address in one that is mapped, translated (RFC 6052) or of 6to4.
  private var ipv4: UInt32? {
    switch bits >> 32 {
    case 0xFFFF, 0x0064_FF9B_0000_0000_0000_0000: UInt32(truncatingIfNeeded: bits)
    default: bits >> 112 == 0x2002 ? UInt32(truncatingIfNeeded: bits >> 80) : nil
    }
  }

  /// The starts of the blocks, and how many bits begin an address in them.
  private static let special4: [(UInt32, Int)] = [
    (0x0000_0000, 8),  // 0.0.0.0: this network
    (0x0A00_0000, 8),  // 10.0.0.0: private
    (0x6440_0000, 10),  // 100.64.0.0: shared by customers of a provider
    (0x7F00_0000, 8),  // 127.0.0.0: loopback
    (0xA9FE_0000, 16),  // 169.254.0.0: link-local
    (0xAC10_0000, 12),  // 172.16.0.0: private
    (0xC000_0000, 24),  // 192.0.0.0: protocols
    (0xC000_0200, 24),  // 192.0.2.0: documentation
    (0xC058_6300, 24),  // 192.88.99.0: 6to4 relays
    (0xC0A8_0000, 16),  // 192.168.0.0: private
    (0xC612_0000, 15),  // 198.18.0.0: benchmarks
    (0xC633_6400, 24),  // 198.51.100.0: documentation
    (0xCB00_7100, 24),  // 203.0.113.0: documentation
    (0xE000_0000, 3),  // 224.0.0.0: multicast, reserved
  ]

  /// Those in 2000::/3, by their first 32 bits.
  private static let special6: [(UInt32, Int)] = [
    (0x2001_0000 >> 9, 23),  // 2001::/23: protocols
    (0x2001_0DB8, 32),  // 2001:db8::/32: documentation
    (0x3FFF_0000 >> 12, 20),  // 3fff::/20: documentation
  ]
}
