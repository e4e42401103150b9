/// Base64url without padding (RFC 4648 section 5), the only text form of bytes in messages.
///
/// Decoding is strict: each value has one text. Padding, white space, characters of another
/// alphabet and non-zero trailing bits are refused, so that the same bytes cannot be sent twice in
/// two spellings.
public enum Base64URL {
  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

  private static let values: [UInt8] = {
    var table = [UInt8](repeating: 255, count: 256)
    for (value, character) in alphabet.enumerated() { table[Int(character)] = UInt8(value) }
    return table
  }()

  /// Returns the text form of `bytes`.
  public static func encode(_ bytes: some Sequence<UInt8>) -> String { text(of: Array(bytes)) }

  // Not generic: other modules would call a witness for each byte.
  private static func text(of bytes: [UInt8]) -> String {
    let length = encodedLength(bytes.count)
    let output = [UInt8](unsafeUninitializedCapacity: length) { output, count in
      var encoder = Encoder()
      for byte in bytes { encoder.encode(byte) { (output[count], count) = ($0, count + 1) } }
      encoder.end { (output[count], count) = ($0, count + 1) }
    }
    return String(decoding: output, as: UTF8.self)
  }

  /// Returns the length of the text form of `count` bytes.
  public static func encodedLength(_ count: Int) -> Int { (count * 4 + 2) / 3 }

  /// Encodes byte by byte, because a secret must not become a String, which is never wiped.
  public struct Encoder {
    private var buffer: UInt32 = 0
    private var bits = 0

    public init() {}

    /// Passes the characters that `byte` completes to `take`.
    public mutating func encode(_ byte: UInt8, to take: (UInt8) -> Void) {
      buffer = (buffer << 8 | UInt32(byte)) & 0xFFFF
      bits += 8
      while bits >= 6 {
        bits -= 6
        take(alphabet[Int(buffer >> UInt32(bits) & 63)])
      }
    }

    /// Passes the last character to `take`, if some bits of the last byte are not yet in a
    /// character.
    public mutating func end(to take: (UInt8) -> Void) {
      if bits > 0 { take(alphabet[Int(buffer << UInt32(6 - bits) & 63)]) }
      self = Encoder()
    }
  }

  /// Returns the bytes of `text`; nil if it is not the one spelling of any bytes.
  public static func decode(_ text: some StringProtocol) -> [UInt8]? {
    // A part of a text would be copied byte by byte otherwise.
    bytes(of: text.utf8.withContiguousStorageIfAvailable { Array($0) } ?? Array(text.utf8))
  }

  // Not generic: other modules would call a witness for each character.
  private static func bytes(of characters: [UInt8]) -> [UInt8]? {
    guard characters.count % 4 != 1 else { return nil }
    var output: [UInt8] = []
    output.reserveCapacity(characters.count * 3 / 4)
    var buffer: UInt32 = 0
    var bits = 0
    for character in characters {
      let value = values[Int(character)]
      guard value != 255 else { return nil }
      buffer = (buffer << 6 | UInt32(value)) & 0xFFFF
      bits += 6
      if bits >= 8 {
        bits -= 8
        output.append(UInt8(truncatingIfNeeded: buffer >> UInt32(bits)))
      }
    }
    guard buffer & ((1 << UInt32(bits)) - 1) == 0 else { return nil }
    return output
  }
}
