import WalletProtocol

/// Bytes from the system's cryptographic generator.
package enum SecureRandom {
  package static func bytes(_ count: Int) -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    return (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
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
