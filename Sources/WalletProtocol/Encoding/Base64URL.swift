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
    String(unsafeUninitializedCapacity: encodedLength(bytes.count)) { output in
      let alphabet = alphabet
      var count = 0
      // Three bytes are four characters; byte by byte it would take most of the time of a message.
      for start in stride(from: 0, to: bytes.count / 3 * 3, by: 3) {
        let pair = UInt32(bytes[start]) << 16 | UInt32(bytes[start + 1]) << 8
        let group = pair | UInt32(bytes[start + 2])
        output[count] = alphabet[Int(group >> 18)]
        output[count + 1] = alphabet[Int(group >> 12 & 63)]
        output[count + 2] = alphabet[Int(group >> 6 & 63)]
        output[count + 3] = alphabet[Int(group & 63)]
        count += 4
      }
      var encoder = Encoder()
      for byte in bytes.suffix(bytes.count % 3) {
        encoder.encode(byte) { (output[count], count) = ($0, count + 1) }
      }
      encoder.end { (output[count], count) = ($0, count + 1) }
      return count
    }
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
    bytes(of: (text.utf8.withContiguousStorageIfAvailable { Array($0) } ?? Array(text.utf8))[...])
  }

  /// Returns the bytes of a text in UTF-8; nil if it is not the one spelling of any bytes.
  static func decode(_ characters: ArraySlice<UInt8>) -> [UInt8]? { bytes(of: characters) }

  // Not generic: other modules would call a witness for each character.
  private static func bytes(of characters: ArraySlice<UInt8>) -> [UInt8]? {
    guard characters.count % 4 != 1 else { return nil }
    let values = values
    var buffer: UInt32 = 0
    var bits: UInt32 = 0
    var isValid = true
    let bytes = [UInt8](unsafeUninitializedCapacity: characters.count * 3 / 4) { output, count in
      for character in characters {
        let value = values[Int(character)]
        isValid = isValid && value != 255
        buffer = (buffer << 6 | UInt32(value & 63)) & 0xFFFF
        bits += 6
        if bits >= 8 {
          bits -= 8
          output[count] = UInt8(truncatingIfNeeded: buffer >> bits)
          count += 1
        }
      }
    }
    guard isValid, buffer & ((1 << bits) - 1) == 0 else { return nil }
    return bytes
  }
}
