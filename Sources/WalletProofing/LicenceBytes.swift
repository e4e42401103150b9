internal import WalletCrypto

/// A barcode's bytes as ISO 8859-1, freed from what scanners add. Lives as long as the parse; its
/// maker wipes it.
struct LicenceBytes {
  private(set) var bytes: [UInt8] = []
  private(set) var deviations: Set<LicenceDeviation> = []

  /// In the place of a character that the scanner's text form lost: no value may hold it.
  private static let lost: UInt8 = 0x1A

  /// What may stand before the header and means nothing there.
  private static let blanks: Set<UInt8> = [0x00, 0x09, 0x0A, 0x0D, 0x20]

  init(_ raw: Span<UInt8>) {
    // Once and for all: a reallocation would leave a copy behind.
    bytes.reserveCapacity(raw.count)
    let isTranscoded = Self.isTranscoded(raw)
    var position = 0
    while position < raw.count {
      let byte = raw[position]
      let next: UInt8? = position + 1 < raw.count ? raw[position + 1] : nil
      position += 1
      if bytes.isEmpty, Self.blanks.contains(byte) {
        deviations.insert(.leadingBytes)
      } else if byte < 0x80 {
        bytes.append(byte)
      } else if Self.stands([0xEF, 0xBB, 0xBF], in: raw, at: position - 1) {
        position += 2
        deviations.insert(bytes.isEmpty ? .leadingBytes : .strayControls)
      } else if Self.stands([0xEF, 0xBF, 0xBD], in: raw, at: position - 1) {
        position += 2
        bytes.append(Self.lost)
      } else if isTranscoded {
        // A pair, or the first half of one that was cut off.
        guard let next else { break }
        position += 1
        append(byte << 6 | next & 0x3F)
      } else if byte == 0xC2, let next, (0x80...0x9F).contains(next) {
        position += 1
        deviations.insert(.strayControls)
      } else {
        append(byte)
      }
    }
    if isTranscoded { deviations.insert(.transcoded) }
    dropCodewords()
  }

  /// Overwrites the bytes.
  mutating func wipe() {
    bytes.withUnsafeMutableBytes { Memory.wipe($0) }
    bytes = []
  }

  private mutating func append(_ character: UInt8) {
    // Control characters that the standard does not know.
    if (0x80...0x9F).contains(character) {
      deviations.insert(.strayControls)
    } else {
      bytes.append(character)
    }
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

  /// Whether a text interface made UTF-8 of ISO 8859-1: all bytes above ASCII are halves of pairs.
  private static func isTranscoded(_ raw: Span<UInt8>) -> Bool {
    var hasPair = false
    var position = stands([0xEF, 0xBB, 0xBF], in: raw, at: 0) ? 3 : 0
    while position < raw.count {
      let byte = raw[position]
      if byte < 0x80 {
        position += 1
      } else if stands([0xEF, 0xBF, 0xBD], in: raw, at: position) {
        position += 3
      } else if byte == 0xC2 || byte == 0xC3 {
        guard position + 1 < raw.count else { return hasPair }
        guard raw[position + 1] & 0xC0 == 0x80 else { return false }
        position += 2
        hasPair = true
      } else {
        return false
      }
    }
    return hasPair
  }

  private static func stands(
    _ expected: [UInt8], in raw: Span<UInt8>, at place: Int
  ) -> Bool {
    guard raw.count - place >= expected.count else { return false }
    for (index, byte) in expected.enumerated() where raw[place + index] != byte { return false }
    return true
  }
}
