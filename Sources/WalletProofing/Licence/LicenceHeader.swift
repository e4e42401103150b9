internal import WalletModel
internal import WalletProtocol

/// The header: who issued the card, by which edition of the standard, and where the elements begin.
///
/// The declared offsets and lengths are compared with the text but never used to find anything: the
/// text itself shows where the body begins.
struct LicenceHeader {
  var issuerNumber = 0
  var version = 0
  /// The kinds of document that the designators and the beginning of the body name. There is more
  /// than one if they contradict each other.
  var kinds: Set<LicenceKind> = []
  /// Where the first element begins, after the letters of its subfile.
  var bodyStart = 0
  /// The second letters of the jurisdiction's declared subfiles.
  var jurisdictions: Set<UInt8> = []
  /// Whether the second subfile begins exactly where its designator says. If so, no byte of the
  /// elements before it was lost.
  var isLengthConfirmed = false
  /// Whether both designators say where the first subfile ends, and it ends one byte earlier. Issuers
  /// known for wrong offsets or lengths contradict themselves.
  var isByteMissing = false
  var deviations: Set<LicenceDeviation> = []

  /// The file type must begin within this many bytes. Otherwise it counts as missing.
  private static let fileTypeWithin = 64
  /// The maximum distance of designators from the version, in bytes.
  private static let designatorsWithin = 140

  init(_ bytes: [UInt8]) throws(ProofingError) {
    guard let type = Self.fileType(in: bytes) else {
      throw Self.isCompact(bytes) ? .documentUnsupportedFormat : .documentWrongBarcode
    }
    if !type.isRegular { deviations.insert(.fileType) }
    if !bytes.prefix(type.start).elementsEqual([0x40, 0x0A, 0x1E, 0x0D]) {
      deviations.insert(.headerControls)
    }
    let digits = bytes.dropFirst(type.end).prefix(12).prefix(while: Digits.isDigit)
    try readNumbers(digits)
    let designators = readDesignators(bytes, from: digits.endIndex)
    findBody(bytes, from: designators.end, firstType: designators.firstType)
    if !designators.types.isEmpty { compareOffsets(bytes, designators) }
  }

  // MARK: Numbers

  private mutating func readNumbers(_ digits: ArraySlice<UInt8>) throws(ProofingError) {
    guard digits.count >= 7 else { throw .documentDamaged }
    guard let six = Digits.number(digits.prefix(6)), let five = Digits.number(digits.prefix(5))
    else { throw .documentDamaged }
    var rest = digits.dropFirst(6)
    var versionDigits = 2
    issuerNumber = six
    // All issuer numbers begin with 6. One issuer left this digit out.
    let isShort = digits.count < 10 || digits.count == 11
    if isShort, LicenceIssuer.with(number: six) == nil,
      LicenceIssuer.with(number: 600_000 + five) != nil
    {
      issuerNumber = 600_000 + five
      rest = digits.dropFirst(5)
      versionDigits = rest.count == 3 ? 3 : 2
      deviations.insert(.issuerNumberShort)
    }
    if issuerNumber == LicenceIssuer.unassignedAlberta {
      deviations.insert(.issuerNumberUnassigned)
    }
    guard let version = Digits.number(rest.prefix(versionDigits)), rest.count >= 2 else {
      throw .documentDamaged
    }
    // Before 2000 there was no standard.
    guard version >= 1 else { throw .documentUnsupportedFormat }
    self.version = version
    // Since edition 2, the jurisdiction's version precedes the number of entries.
    if rest.count != (version == 1 ? 4 : 6) { deviations.insert(.headerShape) }
  }

  // MARK: Designators

  private struct Designators {
    var types: [(letters: ArraySlice<UInt8>, offset: Int, length: Int)] = []
    var firstType: ArraySlice<UInt8>?
    var end: Int
  }

  private mutating func readDesignators(_ bytes: [UInt8], from start: Int) -> Designators {
    var result = Designators(end: start)
    var position = start
    let last = min(bytes.count, start + Self.designatorsWithin)
    while position < last, Self.designator(bytes, at: position) == nil {
      // An element means that the body has begun, so there are no designators.
      if LicenceElementID(bytes, at: position) != nil { return result }
      position += 1
    }
    guard position < last else { return result }
    if position != start { deviations.insert(.designators) }
    while let designator = Self.designator(bytes, at: position) {
      result.types.append(designator)
      if let kind = Self.kind(bytes, at: position) { kinds.insert(kind) }
      if Self.isJurisdictions(bytes, at: position) { jurisdictions.insert(bytes[position + 1]) }
      position += 10
    }
    result.firstType = result.types.first?.letters
    result.end = position
    return result
  }

  private static func designator(
    _ bytes: [UInt8], at position: Int
  ) -> (letters: ArraySlice<UInt8>, offset: Int, length: Int)? {
    guard bytes.count - position >= 10, isType(bytes, at: position),
      let offset = Digits.number(bytes[position + 2..<position + 6]),
      let length = Digits.number(bytes[position + 6..<position + 10])
    else { return nil }
    return (bytes[position..<position + 2], offset, length)
  }

  // MARK: Body

  private mutating func findBody(
    _ bytes: [UInt8], from start: Int, firstType: ArraySlice<UInt8>?
  ) {
    bodyStart = start
    let near = start..<min(bytes.count, start + 24)
    if firstType == nil {
      deviations.insert(.designators)
      // Without a readable designator, the body begins where the letters of a subfile are followed
      // by an element. If there is no such place, it begins after the letters and four characters,
      // which may have been an offset.
      if let kind = Self.kind(bytes, at: start), Self.isLettered(bytes, at: start) {
        kinds.insert(kind)
        bodyStart = start + 10
      } else if let position = near.first(where: { Self.beginsSubfile(bytes, at: $0) }) {
        bodyStart = position
        if let kind = Self.kind(bytes, at: start) { kinds.insert(kind) }
      } else if let kind = Self.kind(bytes, at: start) {
        kinds.insert(kind)
        bodyStart = min(bytes.count, start + 6)
      }
    } else if firstType?.first != UInt8(ascii: "Z"), Self.kind(bytes, at: start) == nil,
      LicenceElementID(bytes, at: start) == nil,
      let position = near.first(where: { Self.beginsSubfile(bytes, at: $0) })
    {
      // The text before `position` was a further designator. If it were not skipped, the first
      // element, which is the number, would be missed.
      deviations.insert(.designators)
      bodyStart = position
    }
    var hasLetters = false
    while let kind = Self.kind(bytes, at: bodyStart) {
      kinds.insert(kind)
      bodyStart += 2
      hasLetters = true
    }
    let isJurisdictions = firstType?.first == UInt8(ascii: "Z")
    if !hasLetters, !isJurisdictions { deviations.insert(.subfileLetters) }
  }

  /// Whether a designator of Alberta begins at `position`. It has letters in place of digits:
  /// "DLabacDLDC". What follows it must be an element or a subfile. Otherwise the last four letters
  /// are already the beginning of the body.
  private static func isLettered(_ bytes: [UInt8], at position: Int) -> Bool {
    guard bytes.count - position > 10, bytes[(position + 6)...].starts(with: "DLDC".utf8),
      bytes[position + 2..<position + 6].allSatisfy({ (0x61...0x7A).contains($0) })
    else { return false }
    return LicenceElementID(bytes, at: position + 10) != nil
      || beginsSubfile(bytes, at: position + 10)
  }

  private static func beginsSubfile(_ bytes: [UInt8], at position: Int) -> Bool {
    kind(bytes, at: position) != nil && LicenceElementID(bytes, at: position + 2) != nil
  }

  /// Compares the declared offsets with the text. Offsets count from the compliance indicator;
  /// lengths include the letters since 2005 and the terminator since 2003.
  private mutating func compareOffsets(_ bytes: [UInt8], _ designators: Designators) {
    let start = bytes.firstIndex(of: 0x40) ?? 0
    func isThere(_ letters: ArraySlice<UInt8>, at position: Int) -> Bool {
      position < bytes.count && bytes[position...].starts(with: letters)
    }
    if designators.types.count >= 2 {
      let (first, next) = (designators.types[0], designators.types[1])
      let end = start + next.offset
      func ends(at position: Int) -> Bool {
        position > 0 && isThere(next.letters, at: position) && bytes[position - 1] == 0x0D
      }
      let isFirstThere =
        first.offset < next.offset && isThere(first.letters, at: start + first.offset)
      isLengthConfirmed = isFirstThere && ends(at: end)
      isByteMissing =
        isFirstThere && first.offset + first.length == next.offset && ends(at: end - 1)
    }
    for (letters, offset, length) in designators.types {
      let position = start + offset
      let ends = [
        position + length - 1, position + length, position + length + 1, position + length + 2,
      ]
      let isEnded = ends.contains { bytes.indices.contains($0) && bytes[$0] == 0x0D }
      if !isThere(letters, at: position) || !isEnded { deviations.insert(.offsets) }
    }
  }

  // MARK: Letters

  private static func fileType(
    in bytes: [UInt8]
  ) -> (start: Int, end: Int, isRegular: Bool)? {
    for start in 0..<min(bytes.count, fileTypeWithin) {
      for (name, isRegular) in [("ANSI", true), ("AAMVA", false)]
      where bytes[start...].starts(with: name.utf8) {
        let blanks = bytes[(start + name.utf8.count)...].prefix { $0 == 0x20 }.prefix(8)
        guard blanks.endIndex < bytes.count, Digits.isDigit(bytes[blanks.endIndex]) else {
          continue
        }
        return (start, blanks.endIndex, isRegular && blanks.count == 1)
      }
    }
    return nil
  }

  /// Whether this is the compact encoding. It begins like the usual one, but has no file type, and
  /// its delimiters are characters that no other barcode has.
  private static func isCompact(_ bytes: [UInt8]) -> Bool {
    bytes.first == 0x40 && bytes.contains(0xD7) && bytes.contains(0xB6)
  }

  /// Whether the letters of a subfile are at `position`.
  static func isType(_ bytes: [UInt8], at position: Int) -> Bool {
    kind(bytes, at: position) != nil || isJurisdictions(bytes, at: position)
  }

  /// Returns the kind of document whose subfile begins at `position`.
  static func kind(_ bytes: [UInt8], at position: Int) -> LicenceKind? {
    guard position >= 0, position < bytes.count, bytes.count - position >= 2 else { return nil }
    return LicenceKind.allCases.first {
      bytes[position..<position + 2].elementsEqual($0.rawValue.utf8)
    }
  }

  /// Whether a subfile or an element of a jurisdiction begins at `position`.
  static func isJurisdictions(_ bytes: [UInt8], at position: Int) -> Bool {
    position >= 0 && position < bytes.count && bytes.count - position >= 2
      && bytes[position] == UInt8(ascii: "Z")
      && (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(bytes[position + 1])
  }
}
