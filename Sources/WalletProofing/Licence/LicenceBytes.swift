internal import WalletCrypto

/// The bytes of a barcode as ISO 8859-1, without what scanners add. Lives as long as the parse; its
/// creator wipes it.
struct LicenceBytes {
  private(set) var bytes: [UInt8] = []
  private(set) var deviations: Set<LicenceDeviation> = []

  /// Replaces a character that the scanner's text form lost; no value may contain it.
  private static let lost: UInt8 = 0x1A
  /// Placeholder for bytes that are removed afterwards. It is a control character; all others were
  /// removed before.
  private static let dropped: UInt8 = 0x80
  /// For a control that came in as the byte of the mark above.
  private static let control: UInt8 = 0x81

  /// Bytes that may come before the header without a meaning.
  private static let blanks: Set<UInt8> = [0x00, 0x09, 0x0A, 0x0D, 0x20]

  init(_ raw: Span<UInt8>) {
    // Reserved at once, because a reallocation would leave a copy behind.
    bytes.reserveCapacity(raw.count)
    let isTranscoded = Self.isTranscoded(raw)
    var position = 0
    while position < raw.count {
      let byte = raw[position]
      if bytes.isEmpty, Self.blanks.contains(byte) {
        deviations.insert(.leadingBytes)
        position += 1
      } else if Self.contains([0xEF, 0xBB, 0xBF], in: raw, at: position) {
        deviations.insert(bytes.isEmpty ? .leadingBytes : .strayControls)
        position += 3
      } else if Self.contains([0xEF, 0xBF, 0xBD], in: raw, at: position) {
        bytes.append(Self.lost)
        position += 3
      } else if isTranscoded, byte >= 0x80 {
        let count = Self.characterLength(raw, at: position) ?? raw.count
        // Characters outside ISO 8859-1 cannot be on a card; the last one may be cut off.
        guard raw.count - position >= count else { break }
        bytes.append(byte <= 0xC3 ? byte << 6 | raw[position + 1] & 0x3F : Self.lost)
        position += count
      } else if byte == 0xC2, position + 1 < raw.count, Self.isControl(raw[position + 1]) {
        bytes.append(raw[position + 1])
        position += 2
      } else {
        bytes.append(byte)
        position += 1
      }
    }
    if isTranscoded { deviations.insert(.transcoded) }
    dropControls()
    dropCodewords()
  }

  /// Overwrites the bytes.
  mutating func wipe() {
    bytes.withUnsafeMutableBytes { Memory.wipe($0) }
    bytes = []
  }

  /// Whether a byte is a control character outside the standard; other encodings have letters
  /// there.
  private static func isControl(_ byte: UInt8) -> Bool { (0x80...0x9F).contains(byte) }

  /// Drops such controls where at least half of the lines begin or end with one, as some scanners
  /// write them.
  /// Elsewhere, and where only a few lines have them, they are lost characters.
  private mutating func dropControls() {
    guard bytes.contains(where: Self.isControl) else { return }
    deviations.insert(.strayControls)
    for place in bytes.indices where bytes[place] == Self.dropped { bytes[place] = Self.control }
    markStrays(in: bytes.indices.reversed())
    markStrays(in: Array(bytes.indices))
    for place in bytes.indices where Self.isControl(bytes[place]) && bytes[place] != Self.dropped {
      bytes[place] = Self.lost
    }
    // In place, because the wipe does not reach removed bytes.
    var kept = 0
    for position in bytes.indices where bytes[position] != Self.dropped {
      bytes[kept] = bytes[position]
      kept += 1
    }
    for position in kept..<bytes.count { bytes[position] = 0 }
    bytes.removeLast(bytes.count - kept)
  }

  /// Marks the controls that come first on a line in the order of `places`, if at least half of
  /// the lines have one.
  private mutating func markStrays(in places: some Collection<Int>) {
    var lines = 0
    var strays = 0
    var isFirst = true
    for place in places {
      if Self.isSeparator(bytes[place]) {
        isFirst = true
      } else if isFirst {
        lines += 1
        if Self.isControl(bytes[place]) { strays += 1 }
        isFirst = false
      }
    }
    guard strays * 2 >= lines else { return }
    isFirst = true
    for place in places {
      // Only the first control character at an end of a line is dropped; a second one replaces a
      // lost character.
      if isFirst, Self.isControl(bytes[place]) { bytes[place] = Self.dropped }
      isFirst = Self.isSeparator(bytes[place])
    }
  }

  private static func isSeparator(_ byte: UInt8) -> Bool {
    byte == 0x0A || byte == 0x0D || byte == UInt8(ascii: "|")
  }

  /// Drops codewords that a scanner wrote out behind the text.
  private mutating func dropCodewords() {
    while bytes.count >= 4, bytes[bytes.count - 4] == UInt8(ascii: "\\"),
      bytes.suffix(3).allSatisfy(Digits.isDigit)
    {
      // Zeroed first, because the wipe does not reach removed bytes.
      for position in bytes.indices.suffix(4) { bytes[position] = 0 }
      bytes.removeLast(4)
      deviations.insert(.trailingBytes)
    }
  }

  /// Whether a text interface converted ISO 8859-1 to UTF-8: all bytes above ASCII are parts of
  /// characters.
  private static func isTranscoded(_ raw: Span<UInt8>) -> Bool {
    var hasCharacter = false
    var position = contains([0xEF, 0xBB, 0xBF], in: raw, at: 0) ? 3 : 0
    while position < raw.count {
      guard raw[position] >= 0x80 else {
        position += 1
        continue
      }
      guard let count = characterLength(raw, at: position) else { return false }
      // The replacement character stands for bytes that were not UTF-8.
      if raw[position] != 0xEF { hasCharacter = true }
      position += min(count, raw.count - position)
    }
    return hasCharacter
  }

  /// Returns the number of bytes of the UTF-8 character at `position`, of which the last may be cut
  /// off; nil if there is none.
  private static func characterLength(_ raw: Span<UInt8>, at position: Int) -> Int? {
    let count =
      switch raw[position] {
      case 0xC2...0xDF: 2
      case 0xE0...0xEF: 3
      case 0xF0...0xF4: 4
      default: 0
      }
    guard count > 0 else { return nil }
    for next in position + 1..<min(position + count, raw.count) where raw[next] & 0xC0 != 0x80 {
      return nil
    }
    return count
  }

  private static func contains(
    _ expected: [UInt8], in raw: Span<UInt8>, at position: Int
  ) -> Bool {
    guard raw.count - position >= expected.count else { return false }
    for (index, byte) in expected.enumerated() where raw[position + index] != byte { return false }
    return true
  }
}
