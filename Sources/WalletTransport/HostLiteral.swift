internal import WalletModel
internal import WalletSystem

/// The host part of a URL: a name, or an address in its strict form.
struct HostLiteral {
  let isLoopback: Bool

  /// Checks `host`. Refuses everything that a resolver might read as an address but that is not
  /// written as four plain decimal numbers or in brackets.
  init(
    _ host: Substring, _ refusal: (String) -> WalletError
  ) throws(WalletError) {
    if host.first == "[" {
      let text = String(host.dropFirst().dropLast())
      guard host.last == "]", let bytes = InternetAddress.ipv6(text) else {
        throw refusal("has an IPv6 address that cannot be read")
      }
      isLoopback = bytes.dropLast().allSatisfy { $0 == 0 } && bytes.last == 1
      return
    }
    let labels = host.split(separator: ".", omittingEmptySubsequences: false)
    guard !host.isEmpty, host.utf8.count <= 253, labels.allSatisfy(Self.isLabel),
      let last = labels.last
    else { throw refusal("has a host that is neither a name nor an address") }
    guard last.utf8.first.map(Self.isDigit) ?? false else {
      isLoopback = false
      return
    }
    let numbers = labels.compactMap { label in
      label.utf8.allSatisfy(Self.isDigit) && (label == "0" || label.first != "0")
        ? UInt8(label) : nil
    }
    guard labels.count == 4, numbers.count == 4 else {
      throw refusal("has an IPv4 address that is not four plain numbers")
    }
    isLoopback = numbers.first == 127
  }

  /// Whether `label` is a valid label of a host name (RFC 1123).
  private static func isLabel(_ label: Substring) -> Bool {
    !label.isEmpty && label.utf8.count <= 63 && label.first != "-" && label.last != "-"
      && label.utf8.allSatisfy { isAlphanumeric($0) || $0 == UInt8(ascii: "-") }
  }

  private static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }

  /// Whether `byte` is an ASCII letter or digit.
  static func isAlphanumeric(_ byte: UInt8) -> Bool {
    isDigit(byte) || (byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A)
  }
}
