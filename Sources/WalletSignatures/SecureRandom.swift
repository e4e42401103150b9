internal import CSodium
import WalletProtocol

/// Random bytes from libsodium.
package enum SecureRandom {
  /// Chooses the generator, once for all threads. Without it the first call would choose one.
  private static let isReady = sodium_init() >= 0

  package static func bytes(_ count: Int) -> [UInt8] {
    _ = isReady
    return [UInt8](unsafeUninitializedCapacity: max(count, 0)) { memory, filled in
      guard let start = memory.baseAddress else { return }
      randombytes_buf(start, memory.count)
      filled = memory.count
    }
  }

  /// A random number from 0 to `bound` - 1, each as likely as any other; 0 if there is none.
  package static func number(below bound: Int64) -> Int64 {
    var generator = Generator()
    return bound > 0 ? Int64.random(in: 0..<bound, using: &generator) : 0
  }

  /// 16 random bytes as base64url, for rows, URLs and arguments. An identifier never begins with a
  /// hyphen, which a command line would take for an option.
  package static func identifier() -> String {
    while true {
      let identifier = Base64URL.encode(bytes(16))
      if !identifier.hasPrefix("-") { return identifier }
    }
  }

  private struct Generator: RandomNumberGenerator {
    mutating func next() -> UInt64 { bytes(8).reduce(0) { $0 << 8 | UInt64($1) } }
  }
}
