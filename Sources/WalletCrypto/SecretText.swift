internal import WalletProtocol

/// A text that is put together in guarded memory. Its secret parts are copied byte by byte from one
/// `Secret` into the next. They are never in an array or a String, which would not be wiped.
public indirect enum SecretText: Sendable, ExpressibleByStringLiteral {
  /// Bytes that need not be kept secret.
  case plain([UInt8])
  case secret(Secret)
  /// The bytes of the inner text, encoded as base64url.
  case base64URL(SecretText)
  case joined([SecretText])

  public init(stringLiteral text: String) { self = .plain(Array(text.utf8)) }

  /// The number of bytes.
  var count: Int {
    switch self {
    case .plain(let bytes): bytes.count
    case .secret(let secret): secret.count
    case .base64URL(let content): Base64URL.encodedLength(content.count)
    case .joined(let parts): parts.reduce(0) { $0 + $1.count }
    }
  }

  /// Passes the bytes to `take`, one by one.
  func write(to take: (UInt8) -> Void) {
    switch self {
    case .plain(let bytes): for byte in bytes { take(byte) }
    case .secret(let secret): secret.withBytes { for byte in $0 { take(byte) } }
    case .base64URL(let content):
      var encoder = Base64URL.Encoder()
      content.write { encoder.encode($0, to: take) }
      encoder.end(to: take)
    case .joined(let parts): for part in parts { part.write(to: take) }
    }
  }
}

extension Secret {
  /// Creates a secret with the bytes of `text`.
  public convenience init(_ text: SecretText) throws {
    try self.init(count: text.count) { target in
      var position = 0
      text.write { byte in
        target[position] = byte
        position += 1
      }
    }
  }
}
