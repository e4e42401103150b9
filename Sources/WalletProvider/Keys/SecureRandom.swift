import WalletProtocol

/// Bytes from the system's cryptographic generator.
package enum SecureRandom {
  package static func bytes(_ count: Int) -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    // Each number is a call of the system, and holds eight bytes.
    let numbers = (0..<(count + 7) / 8).map { _ in generator.next() }
    return numbers.withUnsafeBytes { Array($0.prefix(count)) }
  }

  /// 16 bytes as base64url, for rows, URLs and arguments. None begins with a hyphen: a command line
  /// would take it for an option.
  package static func identifier() -> String {
    while true {
      let identifier = Base64URL.encode(bytes(16))
      if !identifier.hasPrefix("-") { return identifier }
    }
  }
}
