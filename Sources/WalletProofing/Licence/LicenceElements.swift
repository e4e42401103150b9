internal import WalletProtocol

/// The elements of the document's own subfile, as places in the bytes.
struct LicenceElements {
  private(set) var values: [LicenceElementID: Range<Int>] = [:]
  /// Present, with or without content.
  private(set) var seen: Set<LicenceElementID> = []
  /// Stated twice, and differently.
  private(set) var contradictory: Set<LicenceElementID> = []
  /// The one that the barcode ends in, without a separator: it may have been cut.
  private(set) var unterminated: LicenceElementID?
  /// By the letters of the subfiles behind the first.
  private(set) var kinds: Set<LicenceKind> = []
  /// Whether a token began with an element of a jurisdiction's own.
  private(set) var hasJurisdictionElements = false
  /// Whether a token began with the letters of a jurisdiction's subfile.
  private(set) var hasJurisdictionSubfile = false
  private(set) var deviations: Set<LicenceDeviation> = []

  init(_ bytes: [UInt8], from start: Int) {
    let separators = Self.separators(bytes, from: start)
    if separators != Self.regularSeparators { deviations.insert(.separators) }
    var isOurs = true
    var place = start
    while place < bytes.count {
      let end = bytes[place...].firstIndex { separators.contains($0) } ?? bytes.count
      isOurs = read(bytes, place..<end, isOurs: isOurs)
      place = end + 1
    }
  }

  private static let regularSeparators: Set<UInt8> = [0x0A, 0x0D]

  /// Line feeds and carriage returns, or the bar that some scanners write for both.
  private static func separators(_ bytes: [UInt8], from start: Int) -> Set<UInt8> {
    var lines = 0
    var bars = 0
    for byte in bytes.dropFirst(start) {
      if byte == 0x0A { lines += 1 }
      if byte == UInt8(ascii: "|") { bars += 1 }
    }
    return bars > lines ? [0x0A, 0x0D, UInt8(ascii: "|")] : regularSeparators
  }

  /// Reads one token; says whether the following ones belong to the document.
  private mutating func read(_ bytes: [UInt8], _ token: Range<Int>, isOurs: Bool) -> Bool {
    var token = Self.token(bytes, token)
    guard !token.isEmpty else { return isOurs }
    var isOurs = isOurs
    if LicenceHeader.isJurisdictions(bytes, at: token.lowerBound) {
      hasJurisdictionElements = true
      let isSubfile = token.count == 2 || LicenceSeparation.isSubfile(bytes, at: token.lowerBound)
      hasJurisdictionSubfile = hasJurisdictionSubfile || isSubfile
      return false
    }
    if let kind = LicenceHeader.kind(bytes, at: token.lowerBound),
      LicenceElementID(bytes, at: token.lowerBound + 2) != nil
    {
      // Behind the document's elements and a jurisdiction's nothing is the document's.
      guard isOurs || seen.isEmpty else { return false }
      kinds.insert(kind)
      token = token.lowerBound + 2..<token.upperBound
      isOurs = true
    }
    guard isOurs else { return false }
    guard token.count >= 3, let id = LicenceElementID(bytes, at: token.lowerBound) else {
      deviations.insert(.unknownTokens)
      return isOurs
    }
    let isTerminated = token.upperBound < bytes.count
    if !isTerminated {
      unterminated = id
      deviations.insert(.unterminated)
    }
    if !seen.insert(id).inserted { deviations.insert(.repeatedElements) }
    keep(bytes, id, Self.content(bytes, token.lowerBound + 3..<token.upperBound))
    return isOurs
  }

  /// `token` without blanks before what begins there.
  private static func token(_ bytes: [UInt8], _ token: Range<Int>) -> Range<Int> {
    guard token.first.map({ bytes[$0] == 0x20 }) ?? false,
      let start = token.first(where: { bytes[$0] != 0x20 }),
      LicenceElementID(bytes, at: start) != nil || LicenceHeader.isType(bytes, at: start)
    else { return token }
    return start..<token.upperBound
  }

  /// The first one that says something wins.
  private mutating func keep(_ bytes: [UInt8], _ id: LicenceElementID, _ value: Range<Int>) {
    guard !value.isEmpty else { return }
    guard let earlier = values[id] else { return values[id] = value }
    if !bytes[earlier].elementsEqual(bytes[value]) { contradictory.insert(id) }
  }

  /// Without blanks around it; nothing, where it says that there is nothing.
  private static func content(_ bytes: [UInt8], _ range: Range<Int>) -> Range<Int> {
    let start = range.first { bytes[$0] != 0x20 } ?? range.upperBound
    let end = range.last { bytes[$0] != 0x20 }.map { $0 + 1 } ?? start
    let content = start..<max(start, end)
    return saysNothing(bytes[content]) ? start..<start : content
  }

  /// Whether `text` is what stands where there is nothing to say.
  static func saysNothing(_ text: ArraySlice<UInt8>) -> Bool {
    // Letter by letter: a copy in small letters would stay in memory.
    ["none", "unavl", "unavail", "n/a"].contains { text.elementsEqual($0.utf8) { $0 | 0x20 == $1 } }
  }
}
