internal import WalletCrypto

/// A barcode's bytes as ISO 8859-1, freed from what scanners add. Lives as long as the parse; its
/// maker wipes it.
struct LicenceBytes {
  private(set) var bytes: [UInt8] = []
  private(set) var deviations: Set<LicenceDeviation> = []

  /// In the place of a character that the scanner's text form lost: no value may hold it.
  private static let lost: UInt8 = 0x1A
  /// In the place of what is taken out at once: it is a control itself, and none is left.
  private static let dropped: UInt8 = 0x80
  /// For a control that came in as the byte of the mark above.
  private static let control: UInt8 = 0x81

  /// What may stand before the header and means nothing there.
  private static let blanks: Set<UInt8> = [0x00, 0x09, 0x0A, 0x0D, 0x20]

  init(_ raw: Span<UInt8>) {
    // Once and for all: a reallocation would leave a copy behind.
    bytes.reserveCapacity(raw.count)
    let isTranscoded = Self.isTranscoded(raw)
    var position = 0
    while position < raw.count {
      let byte = raw[position]
      if bytes.isEmpty, Self.blanks.contains(byte) {
        deviations.insert(.leadingBytes)
        position += 1
      } else if Self.stands([0xEF, 0xBB, 0xBF], in: raw, at: position) {
        deviations.insert(bytes.isEmpty ? .leadingBytes : .strayControls)
        position += 3
      } else if Self.stands([0xEF, 0xBF, 0xBD], in: raw, at: position) {
        bytes.append(Self.lost)
        position += 3
      } else if isTranscoded, byte >= 0x80 {
        let count = Self.characterLength(raw, at: position) ?? raw.count
        // What ISO 8859-1 has not cannot stand on a card; the end may be cut off.
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

  /// Control characters that the standard does not know; other encodings have letters there.
  private static func isControl(_ byte: UInt8) -> Bool { (0x80...0x9F).contains(byte) }

  /// Drops such controls where they stand before or behind most lines, as some scanners write them.
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
    // In place: what is removed is out of reach of the wipe.
    var kept = 0
    for place in bytes.indices where bytes[place] != Self.dropped {
      bytes[kept] = bytes[place]
      kept += 1
    }
    for place in kept..<bytes.count { bytes[place] = 0 }
    bytes.removeLast(bytes.count - kept)
  }

  /// Marks the controls that come first on a line in the order of `places`, if most lines have one.
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
      if isFirst, Self.isControl(bytes[place]) {
        bytes[place] = Self.dropped
      } else {
        isFirst = Self.isSeparator(bytes[place])
      }
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
      // What is removed is out of reach of the wipe.
      for place in bytes.indices.suffix(4) { bytes[place] = 0 }
      bytes.removeLast(4)
      deviations.insert(.trailingBytes)
    }
  }

  /// Whether a text interface made UTF-8 of ISO 8859-1: all bytes above ASCII are parts of
  /// characters.
  private static func isTranscoded(_ raw: Span<UInt8>) -> Bool {
    var hasCharacter = false
    var position = stands([0xEF, 0xBB, 0xBF], in: raw, at: 0) ? 3 : 0
    while position < raw.count {
      guard raw[position] >= 0x80 else {
        position += 1
        continue
      }
      guard let count = characterLength(raw, at: position) else { return false }
      // A replacement is put for what was no UTF-8.
      if raw[position] != 0xEF { hasCharacter = true }
      position += min(count, raw.count - position)
    }
    return hasCharacter
  }

  /// The bytes of the UTF-8 character at `place`, of which the last ones may have been cut off; nil
  /// where there is none.
  private static func characterLength(_ raw: Span<UInt8>, at place: Int) -> Int? {
    let count =
      switch raw[place] {
      case 0xC2...0xDF: 2
      case 0xE0...0xEF: 3
      case 0xF0...0xF4: 4
      default: 0
      }
    guard count > 0 else { return nil }
    for next in place + 1..<min(place + count, raw.count) where raw[next] & 0xC0 != 0x80 {
      return nil
    }
    return count
  }

  private static func stands(
    _ expected: [UInt8], in raw: Span<UInt8>, at place: Int
  ) -> Bool {
    guard raw.count - place >= expected.count else { return false }
    for (index, byte) in expected.enumerated() where raw[place + index] != byte { return false }
    return true
  }
}
