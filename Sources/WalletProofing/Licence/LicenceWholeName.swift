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
  private(set) var isGuess = false

  private static let comma = UInt8(ascii: ",")

  /// - Returns: Nil for less than two names.
  init?(_ value: Text) {
    let parts = value.split(separator: Self.comma, omittingEmptySubsequences: false)
      .map(Self.trimmed)
    let suffixes = parts.dropFirst().prefix(while: Self.isSuffix)
    let behind = Self.joined(suffixes, in: value)
    if suffixes.count == parts.count - 1 || parts.count == 2 && parts[1].isEmpty {
      self.init(words: Self.words(value), in: value)
    } else {
      self.init(
        family: parts[0], suffix: behind, rest: Array(parts[(1 + suffixes.count)...]), in: value)
    }
    guard !family.isEmpty, !given.isEmpty else { return nil }
  }

  // MARK: With commas

  private init(family first: Text, suffix second: Text?, rest: [Text], in value: Text) {
    family = first
    suffix = second
    if second != nil { deviations.insert(.nameForm) }
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
    if let cut = Self.withoutSuffix(middle ?? []) {
      // A suffix in one part with other names is a deviation. One that has the part of the middle
      // names to itself is not.
      if rest.count == 1 || !cut.rest.isEmpty { deviations.insert(.nameForm) }
      middle = cut.rest
      take(cut.suffix)
    }
    if let cut = Self.withoutSuffix(family), !cut.rest.isEmpty {
      deviations.insert(.nameForm)
      family = cut.rest
      take(cut.suffix)
    }
    // What is taken for a middle name could be a suffix.
    if let last = Self.words(middle ?? []).last, LicenceSuffix.couldEnd(last) {
      deviations.insert(.nameOrder)
    }
  }

  /// Takes the parts after the first name: middle names, and a suffix if the last parts are one. Any
  /// other text in its place is a name too.
  private mutating func takeParts(_ parts: ArraySlice<Text>, in value: Text) {
    var names = parts
    while names.count > 1, let last = names.last, last.isEmpty || LicenceSuffix.isSuffix(last) {
      names.removeLast()
    }
    let last = Self.joined(parts[names.endIndex...].filter { !$0.isEmpty }[...], in: value)
    if let last { take(last) }
    if names.count > 1 { deviations.insert(.nameForm) }
    middle = Self.joined(names, in: value)
  }

  /// Takes a suffix. Two that contradict each other leave nothing of the name certain.
  private mutating func take(_ suffix: Text) {
    if !LicenceSuffix.agree([self.suffix ?? [], suffix]) { family = [] }
    self.suffix = self.suffix ?? suffix
  }

  /// `text` and the suffixes that it ends in.
  private static func withoutSuffix(_ text: Text) -> (rest: Text, suffix: Text)? {
    let words = words(text)
    let count = suffixCount(words, evenIfName: false)
    guard count > 0 else { return nil }
    let start = words[words.count - count].startIndex
    return (trimmed(text[..<start]), text[start..<words[words.count - 1].endIndex])
  }

  /// The number of words at the end of `words` that are suffixes.
  private static func suffixCount(_ words: [Text], evenIfName: Bool) -> Int {
    words.reversed().prefix { LicenceSuffix.ends($0, evenIfName: evenIfName) }.count
  }

  /// Whether a part of a whole name has nothing but suffixes.
  private static func isSuffix(_ part: Text) -> Bool {
    let words = words(part)
    return !words.isEmpty && suffixCount(words, evenIfName: false) == words.count
  }

  // MARK: Without commas

  private init(words: [Text], in value: Text) {
    var words = words
    family = []
    given = []
    deviations = [.nameForm, .nameOrder]
    isGuess = true
    var count = Self.suffixCount(words, evenIfName: false)
    let inside = words.indices.dropFirst().dropLast(count)
      .first { LicenceSuffix.ends(words[$0], evenIfName: false) }
    if let inside {
      // A suffix in the middle ends the family name, which then comes first. With another one at the
      // end nothing of the name is certain.
      guard count == 0 else { return }
      let behind = words[inside...].prefix { LicenceSuffix.ends($0, evenIfName: false) }
      suffix = Self.joined(behind, in: value)
      family = value[words[0].startIndex..<words[inside - 1].endIndex]
      given = words[behind.endIndex]
      middle = Self.joined(words[(behind.endIndex + 1)...], in: value)
      return
    }
    // Behind two other names even a word that could be a name is a suffix, unless a generation
    // follows.
    if words.count - count > 2, !words.suffix(count).contains(where: LicenceSuffix.isGeneration),
      LicenceSuffix.ends(words[words.count - count - 1], evenIfName: true)
    {
      count += 1
    }
    suffix = Self.joined(words.suffix(count), in: value)
    words.removeLast(count)
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
    if !family.isEmpty {
      whole.deviations.remove(.nameOrder)
      whole.isGuess = false
    }
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
