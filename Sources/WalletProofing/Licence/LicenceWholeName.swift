/// A whole name in one element: "LAST,FIRST,MIDDLE,SUFFIX" as the standard has it, "LAST, FIRST
/// MIDDLE", or "FIRST MIDDLE LAST SUFFIX" without commas.
///
/// All parts are slices of the one text: nothing of it is copied.
struct LicenceWholeName {
  typealias Text = ArraySlice<UInt8>

  private(set) var family: Text
  private(set) var given: Text
  private(set) var middle: Text?
  private(set) var suffix: Text?
  private(set) var deviations: Set<LicenceDeviation> = []

  /// Whether the places of the words alone told family name and given name apart.
  var isGuess: Bool { deviations.contains(.nameOrder) }

  private static let comma = UInt8(ascii: ",")

  /// - Returns: Nil for less than two names.
  init?(_ value: Text) {
    let parts = value.split(separator: Self.comma, omittingEmptySubsequences: false)
      .map(Self.trimmed)
    let isSuffixSecond = parts.count > 1 && LicenceSuffix.ends(parts[1], evenIfName: false)
    if parts.count == 1 || parts.count == 2 && (isSuffixSecond || parts[1].isEmpty) {
      self.init(words: Self.words(parts[0]), in: value)
      if isSuffixSecond { suffix = parts[1] }
    } else {
      self.init(parts: parts, isSuffixSecond: isSuffixSecond, in: value)
    }
    guard !family.isEmpty, !given.isEmpty else { return nil }
  }

  // MARK: With commas

  private init(parts: [Text], isSuffixSecond: Bool, in value: Text) {
    family = parts[0]
    var rest = Array(parts[1...])
    if isSuffixSecond {
      deviations.insert(.nameForm)
      suffix = rest.removeFirst()
    }
    given = rest[0]
    if rest.count == 1 {
      // The first name and what follows it, in one part.
      let words = Self.words(given)
      if words.count > 1 {
        deviations.insert(.nameForm)
        given = words[0]
        middle = value[words[1].startIndex..<words[words.count - 1].endIndex]
      }
    } else {
      takeParts(rest[1...], in: value)
    }
    if suffix == nil, let cut = Self.withoutSuffix(middle ?? []) {
      // A suffix in one part with other names is a deviation. One that has the part of the middle
      // names to itself is not.
      if rest.count == 1 || !cut.rest.isEmpty { deviations.insert(.nameForm) }
      middle = cut.rest
      suffix = cut.suffix
    }
    if suffix == nil, let cut = Self.withoutSuffix(family), !cut.rest.isEmpty {
      deviations.insert(.nameForm)
      family = cut.rest
      suffix = cut.suffix
    }
  }

  /// Takes the parts after the first name: middle names, and a suffix if the last part is one. Any
  /// other text in its place is a name too.
  private mutating func takeParts(_ parts: ArraySlice<Text>, in value: Text) {
    var parts = parts
    if parts.count > 1, let last = parts.last, last.isEmpty || LicenceSuffix.isSuffix(last) {
      parts.removeLast()
      // Two suffixes contradict each other: nothing of the name is certain.
      if !LicenceSuffix.agree([suffix ?? [], last]) { family = [] }
      if !last.isEmpty { suffix = last }
    }
    guard let first = parts.first, let last = parts.last else { return }
    if parts.count > 1 { deviations.insert(.nameForm) }
    middle = value[first.startIndex..<last.endIndex]
  }

  /// `text` and the suffix that it ends in.
  private static func withoutSuffix(_ text: Text) -> (rest: Text, suffix: Text)? {
    guard let last = words(text).last, LicenceSuffix.ends(last, evenIfName: false) else {
      return nil
    }
    return (trimmed(text[..<last.startIndex]), last)
  }

  // MARK: Without commas

  private init(words: [Text], in value: Text) {
    var words = words
    family = []
    given = []
    deviations = [.nameForm, .nameOrder]
    // A suffix in the middle ends the family name, which then comes first.
    let inside = words.indices.dropFirst().dropLast()
      .first { LicenceSuffix.ends(words[$0], evenIfName: false) }
    if let inside {
      suffix = words[inside]
      family = value[words[0].startIndex..<words[inside - 1].endIndex]
      given = words[inside + 1]
      middle = Self.joined(words[(inside + 2)...], in: value)
      return
    }
    if words.count > 2, LicenceSuffix.ends(words[words.count - 1], evenIfName: true) {
      suffix = words.removeLast()
    }
    guard words.count >= 2 else { return }
    // Particles before the last word belong to the family name.
    var start = words.count - 1
    while start > 1, Self.isParticle(words[start - 1]) { start -= 1 }
    given = words[0]
    middle = Self.joined(words[1..<start], in: value)
    family = Self.joined(words[start...], in: value) ?? []
  }

  private static func joined(_ words: ArraySlice<Text>, in value: Text) -> Text? {
    guard let first = words.first, let last = words.last else { return nil }
    return value[first.startIndex..<last.endIndex]
  }

  private static func isParticle(_ word: Text) -> Bool {
    particles.contains { word.elementsEqual($0.utf8) }
  }

  private static let particles = [
    "AF", "AV", "BIN", "BINT", "DA", "DAS", "DE", "DEL", "DELA", "DELLA", "DEN", "DER", "DES", "DI",
    "DO", "DOS", "DU", "EL", "IBN", "LA", "LAS", "LOS", "MC", "SAN", "SANTA", "ST", "ST.", "TEN",
    "TER", "VAN", "VANDEN", "VANDER", "VOM", "VON", "ZU", "ZUM", "ZUR",
  ]

  // MARK: Beside what other elements state

  /// A whole name without commas, read by what other elements state of the same name: a guess never
  /// overrides a statement.
  ///
  /// - Parameters:
  ///   - family: The stated family name, or empty.
  ///   - given: The stated first names, or empty.
  /// - Returns: Nil where the text holds another name than the stated one.
  func agreeing(withFamily family: Text, given: Text, in value: Text) -> LicenceWholeName? {
    guard isGuess else { return self }
    var whole = self
    let suffix = suffix
    var words = Self.words(value).filter { !Self.isPart($0, of: suffix) }
    let cut = Self.withoutSuffix(family)
    if !family.isEmpty {
      guard let place = Self.run(of: cut?.rest ?? family, in: words, isAtEnd: true) else {
        return nil
      }
      whole.family = family
      if cut != nil { whole.suffix = nil }
      words.removeSubrange(place)
      if given.isEmpty {
        guard let first = words.first else { return nil }
        whole.given = first
        whole.middle = Self.joined(words.dropFirst(), in: value)
      }
    }
    if !given.isEmpty {
      guard let place = Self.run(of: given, in: words, isAtEnd: false) else { return nil }
      whole.given = given
      words.removeSubrange(place)
      if family.isEmpty {
        guard let last = words.last else { return nil }
        // If the given name comes first, the middle names follow it. Otherwise everything before it
        // is the family name.
        whole.family = place.lowerBound == 0 ? last : Self.joined(words[...], in: value) ?? last
        whole.middle = place.lowerBound == 0 ? Self.joined(words.dropLast(), in: value) : nil
        return whole
      }
      whole.middle = Self.joined(words[...], in: value)
    }
    if !family.isEmpty { whole.deviations.remove(.nameOrder) }
    return whole
  }

  private static func isPart(_ word: Text, of text: Text?) -> Bool {
    text.map { $0.startIndex <= word.startIndex && word.endIndex <= $0.endIndex } ?? false
  }

  /// Where `stated` stands in `words`, at one of the ends.
  private static func run(of stated: Text, in words: [Text], isAtEnd: Bool) -> Range<Int>? {
    let counts = Array(1...max(1, words.count))
    let atStart = counts.map { 0..<min($0, words.count) }
    let atEnd = counts.map { max(0, words.count - $0)..<words.count }
    let places = isAtEnd ? atEnd + atStart : atStart + atEnd
    return places.first { LicenceAgreement.areSame(Array(words[$0]), [stated]) }
      ?? places.first { LicenceAgreement.holds([Array(words[$0]), [stated]]) && !$0.isEmpty }
  }

  private static func words(_ text: Text) -> [Text] {
    text.split { $0 == 0x20 || $0 == 0xA0 || $0 == comma }
  }

  private static func trimmed(_ text: Text) -> Text {
    let start = text.firstIndex { $0 != 0x20 && $0 != 0xA0 } ?? text.endIndex
    let end = text.lastIndex { $0 != 0x20 && $0 != 0xA0 }.map { $0 + 1 } ?? start
    return text[start..<max(start, end)]
  }
}
