internal import WalletCrypto
internal import WalletModel

/// Decodes base64url straight into guarded memory. As strict as `Base64URL`: one spelling, no
/// padding, no stray bits.
enum SecretBase64URL {
  static func decode(
    _ text: Span<UInt8>, _ range: Range<Int>, lengths: ClosedRange<Int>
  ) throws(ProofingError) -> Secret {
    let count = range.count * 3 / 4
    guard range.count % 4 != 1, lengths.contains(count), range.upperBound <= text.count else {
      throw .codeMalformed
    }
    var isWellFormed = true
    let secret = try? Secret(count: count) { target in
      isWellFormed = fill(target, text, range)
    }
    guard isWellFormed else { throw .codeMalformed }
    // No guarded memory left.
    guard let secret else { throw .proofInternal }
    return secret
  }

  private static func fill(
    _ target: UnsafeMutableRawBufferPointer, _ text: Span<UInt8>, _ range: Range<Int>
  ) -> Bool {
    var buffer: UInt32 = 0
    var bits: UInt32 = 0
    var written = 0
    for index in range {
      guard let value = value(of: text[index]) else { return false }
      buffer = (buffer << 6 | value) & 0xFFFF
      bits += 6
      guard bits >= 8 else { continue }
      bits -= 8
      guard written < target.count else { return false }
      target[written] = UInt8(truncatingIfNeeded: buffer >> bits)
      written += 1
    }
    return written == target.count && buffer & (1 << bits - 1) == 0
  }

  private static func value(of character: UInt8) -> UInt32? {
    switch character {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(character) - 65
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(character) - 71
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(character) + 4
    case UInt8(ascii: "-"): 62
    case UInt8(ascii: "_"): 63
    default: nil
    }
  }
}
