import WalletProtocol

/// Random bytes from the system's cryptographic generator.
package enum SecureRandom {
  package static func bytes(_ count: Int) -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    // Makes numbers of eight bytes, because each number costs one system call.
    let numbers = (0..<(count + 7) / 8).map { _ in generator.next() }
    return numbers.withUnsafeBytes { Array($0.prefix(count)) }
  }

  /// A random number from 0 to `bound` - 1, each as likely as any other; 0 if there is none.
  package static func number(below bound: Int64) -> Int64 {
    bound > 0 ? Int64.random(in: 0..<bound) : 0
  }

  /// 16 random bytes as base64url, for rows, URLs and arguments. An identifier never begins with a
  /// hyphen, which a command line would take for an option.
  package static func identifier() -> String {
    while true {
      let identifier = Base64URL.encode(bytes(16))
      if !identifier.hasPrefix("-") { return identifier }
    }
  }
}
