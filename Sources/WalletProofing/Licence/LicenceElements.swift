internal import WalletProtocol

/// The elements of the document's own subfile, as ranges of the bytes.
struct LicenceElements {
  private(set) var values: [LicenceElementID: Range<Int>] = [:]
  /// The elements present, with or without content.
  private(set) var seen: Set<LicenceElementID> = []
  /// The elements stated twice with different content.
  private(set) var contradictory: Set<LicenceElementID> = []
  /// The element at the end of the barcode if no separator follows: it may have been cut off.
  private(set) var unterminated: LicenceElementID?
  /// The kinds of document that the letters of the subfiles after the first one name.
  private(set) var kinds: Set<LicenceKind> = []
  /// Whether a token began with an element of the jurisdiction's own.
  private(set) var hasJurisdictionElements = false
  /// Whether a token began with the letters of a jurisdiction's subfile.
  private(set) var hasJurisdictionSubfile = false
  private(set) var deviations: Set<LicenceDeviation> = []

  init(_ bytes: [UInt8], from start: Int) {
    let separators = Self.separators(bytes, from: start)
    if separators != Self.regularSeparators { deviations.insert(.separators) }
    var isDocuments = true
    var position = start
    var hidden: Set<LicenceElementID> = []
    while position < bytes.count {
      let end = bytes[position...].firstIndex { separators.contains($0) } ?? bytes.count
      if seen.isEmpty { hidden.formUnion(Self.hidden(bytes, position..<end)) }
      isDocuments = read(bytes, position..<end, isDocuments: isDocuments)
      position = end + 1
    }
    contradictory.formUnion(hidden.intersection(seen))
  }

  /// The elements that seem to stand inside a token before the first one. Where the letters of the
  /// subfile are damaged, the element behind them, the number on most cards, is not read.
  private static func hidden(_ bytes: [UInt8], _ token: Range<Int>) -> [LicenceElementID] {
    let token = self.token(bytes, token)
    guard let start = token.first, LicenceElementID(bytes, at: start) == nil,
      !LicenceHeader.isType(bytes, at: start)
    else { return [] }
    return token.dropFirst().compactMap { LicenceElementID(bytes, at: $0) }
  }

  private static let regularSeparators: Set<UInt8> = [0x0A, 0x0D]

  /// Returns the separators: line feed and carriage return, and also the bar if the scanner wrote
  /// bars in their place.
  private static func separators(_ bytes: [UInt8], from start: Int) -> Set<UInt8> {
    var lines = 0
    var bars = 0
    for byte in bytes.dropFirst(start) {
      if byte == 0x0A { lines += 1 }
      if byte == UInt8(ascii: "|") { bars += 1 }
    }
    return bars > lines ? [0x0A, 0x0D, UInt8(ascii: "|")] : regularSeparators
  }

  /// Reads one token. Returns whether the tokens after it belong to the document's own subfile.
  private mutating func read(_ bytes: [UInt8], _ token: Range<Int>, isDocuments: Bool) -> Bool {
    var token = Self.token(bytes, token)
    guard !token.isEmpty else { return isDocuments }
    var isDocuments = isDocuments
    if LicenceHeader.isJurisdictions(bytes, at: token.lowerBound) {
      hasJurisdictionElements = true
      let isSubfile = token.count == 2 || LicenceSeparation.isSubfile(bytes, at: token.lowerBound)
      hasJurisdictionSubfile = hasJurisdictionSubfile || isSubfile
      return false
    }
    if let kind = LicenceHeader.kind(bytes, at: token.lowerBound),
      LicenceElementID(bytes, at: token.lowerBound + 2) != nil
    {
      // This subfile follows one of a jurisdiction, and the document's own elements came before
      // that. So it does not belong to the document.
      guard isDocuments || seen.isEmpty else { return false }
      kinds.insert(kind)
      token = token.lowerBound + 2..<token.upperBound
      isDocuments = true
    }
    guard isDocuments else { return false }
    guard token.count >= 3, let id = LicenceElementID(bytes, at: token.lowerBound) else {
      deviations.insert(.unknownTokens)
      return isDocuments
    }
    let isTerminated = token.upperBound < bytes.count
    if !isTerminated {
      unterminated = id
      deviations.insert(.unterminated)
    }
    if !seen.insert(id).inserted { deviations.insert(.repeatedElements) }
    keep(bytes, id, Self.content(bytes, token.lowerBound + 3..<token.upperBound))
    return isDocuments
  }

  /// Returns `token` without blanks before an element or subfile.
  private static func token(_ bytes: [UInt8], _ token: Range<Int>) -> Range<Int> {
    guard token.first.map({ bytes[$0] == 0x20 }) ?? false,
      let start = token.first(where: { bytes[$0] != 0x20 }),
      LicenceElementID(bytes, at: start) != nil || LicenceHeader.isType(bytes, at: start)
    else { return token }
    return start..<token.upperBound
  }

  /// Keeps the first content of an element. Empty contents are ignored.
  private mutating func keep(_ bytes: [UInt8], _ id: LicenceElementID, _ value: Range<Int>) {
    guard !value.isEmpty else { return }
    guard let earlier = values[id] else { return values[id] = value }
    if !bytes[earlier].elementsEqual(bytes[value]) { contradictory.insert(id) }
  }

  /// Returns the content without surrounding blanks; empty if the content is a placeholder such as
  /// NONE.
  private static func content(_ bytes: [UInt8], _ range: Range<Int>) -> Range<Int> {
    let start = range.first { bytes[$0] != 0x20 } ?? range.upperBound
    let end = range.last { bytes[$0] != 0x20 }.map { $0 + 1 } ?? start
    let content = start..<max(start, end)
    return saysNothing(bytes[content]) ? start..<start : content
  }

  /// Whether `text` is a placeholder for missing content, such as NONE.
  static func saysNothing(_ text: ArraySlice<UInt8>) -> Bool {
    // Compared letter by letter, because a lower-case copy of `text` would stay in memory.
    ["none", "unavl", "unavail", "n/a"].contains { text.elementsEqual($0.utf8) { $0 | 0x20 == $1 } }
  }
}
