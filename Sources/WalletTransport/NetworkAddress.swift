internal import WalletSystem

/// An address of IPv4 or IPv6, and whether it belongs to the public internet.
struct NetworkAddress: Equatable {
  /// 4 or 16 bytes.
  private let bytes: [UInt8]

  /// - Parameter bytes: Nil unless these are 4 or 16.
  init?(_ bytes: [UInt8]) {
    guard bytes.count == 4 || bytes.count == 16 else { return nil }
    self.bytes = bytes
  }

  /// Reads the text form of an address, also an IPv6 one in brackets or with a zone.
  init?(_ text: String) {
    var text = Substring(text)
    if text.first == "[", text.last == "]" { text = text.dropFirst().dropLast() }
    guard !text.utf8.contains(0) else { return nil }
    let address = String(text.prefix { $0 != "%" })
    guard let bytes = InternetAddress.ipv4(String(text)) ?? InternetAddress.ipv6(address) else {
      return nil
    }
    self.bytes = bytes
  }

  /// Whether it is an address of this device: 127.0.0.0/8 or ::1.
  var isLoopback: Bool {
    if let inner { return inner.isLoopback }
    return isIn(bytes.count == 4 ? Self.loopback4 : Self.loopback6)
  }

  /// Whether the address is of the public internet, by the registries of special addresses (RFC 6890
  /// and its successors at IANA). An IPv6 address that leads to an IPv4 one is judged by that.
  var isPublic: Bool {
    if let inner { return inner.isPublic }
    guard bytes.count == 16 else { return !Self.special4.contains(where: isIn) }
    return isIn(Self.global6) && !Self.special6.contains(where: isIn)
  }

  /// The IPv4 address in an IPv6 one that is mapped, translated (RFC 6052) or of 6to4.
  private var inner: NetworkAddress? {
    guard bytes.count == 16 else { return nil }
    if isIn(Self.mapped) || isIn(Self.translated) { return NetworkAddress(Array(bytes.suffix(4))) }
    return isIn(Self.sixToFour) ? NetworkAddress(Array(bytes[2..<6])) : nil
  }

  private func isIn(_ block: Block) -> Bool {
    guard block.start.count == bytes.count else { return false }
    let whole = block.length / 8
    guard bytes.prefix(whole) == block.start.prefix(whole) else { return false }
    guard block.length % 8 != 0 else { return true }
    let mask = UInt8.max << (8 - UInt8(block.length % 8))
    return bytes[whole] & mask == block.start[whole] & mask
  }

  /// The addresses that begin with the first `length` bits of `start`.
  private struct Block {
    let start: [UInt8]
    let length: Int

    init(_ bytes: [UInt8], of size: Int, _ length: Int) {
      start = bytes + [UInt8](repeating: 0, count: size - bytes.count)
      self.length = length
    }
  }

  private static func ipv4(_ bytes: UInt8..., length: Int) -> Block { Block(bytes, of: 4, length) }
  private static func ipv6(_ bytes: UInt8..., length: Int) -> Block { Block(bytes, of: 16, length) }

  private static let loopback4 = ipv4(127, length: 8)
  private static let loopback6 = Block([UInt8](repeating: 0, count: 15) + [1], of: 16, 128)
  private static let mapped = Block([UInt8](repeating: 0, count: 10) + [0xFF, 0xFF], of: 16, 96)
  private static let translated = ipv6(0x00, 0x64, 0xFF, 0x9B, length: 96)
  private static let sixToFour = ipv6(0x20, 0x02, length: 16)
  private static let global6 = ipv6(0x20, length: 3)

  private static let special4 = [
    ipv4(0, length: 8), ipv4(10, length: 8), ipv4(100, 64, length: 10), loopback4,
    ipv4(169, 254, length: 16), ipv4(172, 16, length: 12), ipv4(192, 0, 0, length: 24),
    ipv4(192, 0, 2, length: 24), ipv4(192, 88, 99, length: 24), ipv4(192, 168, length: 16),
    ipv4(198, 18, length: 15), ipv4(198, 51, 100, length: 24), ipv4(203, 0, 113, length: 24),
    ipv4(224, length: 3),
  ]
  /// Those in 2000::/3: protocol assignments, documentation.
  private static let special6 = [
    ipv6(0x20, 0x01, 0x00, length: 23), ipv6(0x20, 0x01, 0x0D, 0xB8, length: 32),
    ipv6(0x3F, 0xFF, 0x00, length: 20),
  ]
}
