import TestSupport

@testable import WalletProofing

/// An endless series of inputs with every kind of damage, from cards of invented people.
struct LicenceInputs {
  enum Kind: CaseIterable {
    /// Cards as issuers make them, with their deviations.
    case whole
    /// A second, different value of a required element, or a second subfile.
    case contradictory
    /// A card that ends early.
    case truncated
    /// Bits changed.
    case flipped
    /// The beginning of one card and the end of another.
    case spliced
    /// Bytes that are no card, some with a header and element ids.
    case random
    /// Bytes changed, lost, doubled or moved.
    case mutated
    /// Whole elements reordered, lost or doubled, and separators lost or replaced. No text of the
    /// card changes, so every text read must be one of them.
    case restructured
  }

  /// The expected result of an input.
  enum Expectation {
    /// Anything but a trap.
    case any
    /// If it is read, only these texts.
    case texts(Set<String>)
    case person(Person)
    case refused
  }

  struct Input {
    let kind: Kind
    let bytes: [UInt8]
    let expected: Expectation
  }

  struct Person {
    var family = "VANDERBLOOM"
    var given = "MARIGOLD"
    var middle = "TESSA"
    var suffix = "II"
    var number = "VX0427193"

    /// The texts as they are read, however a card distributes them over elements.
    var texts: Set<String> {
      let names = [family, given, middle]
      // The one element that looks like the end of a name.
      let residue = names.flatMap { ["\($0)DDAF", "\($0)DDAN"] }
      return Set(names + residue + [suffix, number, "\(given) \(middle)"])
    }

    /// The elements of every edition.
    var elements: [(id: String, value: String)] {
      [
        ("DAQ", number), ("DAA", "\(family),\(given),\(middle),\(suffix)"), ("DCS", family),
        ("DCT", "\(given),\(middle)"), ("DAC", given), ("DAD", middle), ("DCU", suffix),
      ]
    }
  }

  private var generator: SeededGenerator

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  mutating func next() -> Input {
    let kind = pick(Kind.allCases)
    let person = person()
    var bytes = card(of: person).bytes
    switch kind {
    case .whole: return Input(kind: kind, bytes: bytes, expected: .person(person))
    case .contradictory: return contradictory(person)
    case .truncated:
      bytes.removeLast(below(bytes.count + 1))
      return Input(kind: kind, bytes: bytes, expected: .texts(person.texts))
    case .flipped:
      for _ in 0...below(8) { bytes[below(bytes.count)] ^= 1 << UInt8(below(8)) }
    case .spliced:
      let other = card(of: self.person()).bytes
      bytes = Array(bytes.prefix(below(bytes.count)) + other.suffix(below(other.count)))
    case .random: bytes = noise()
    case .mutated:
      for _ in 0...below(8) { mutate(&bytes, using: &generator) }
    case .restructured:
      return Input(kind: kind, bytes: restructured(person), expected: .texts(person.texts))
    }
    return Input(kind: kind, bytes: bytes, expected: .any)
  }

  // MARK: Cards

  private mutating func person() -> Person {
    if below(4) == 0 { return Person() }
    return Person(
      family: pick([
        "MADDEN-DACOSTA", "HADDAN", "JORDAN", "WOODCOCK", "LINDBERG", "MEDCALF", "D'ARCY", "VIDAL",
        "GODARD", "DAVIS", "RADCLIFFE", "ADDAE", "DAHL", "FRIDAY",
      ]),
      given: pick(["SOLEDAD", "CANDACE", "BRENDAN", "JUDAH", "DAGMAR", "SIDDHARTHA", "MAGDALENA"]),
      middle: pick(["TRINIDAD", "DAISY", "ADDISON", "GUADALUPE", "DAX", "DAVID", "HOLIDAY"]),
      suffix: pick(["II", "JR", "3RD", "ESQ"]),
      number: pick([
        "D077A41DX9", "WDL7DAB92K1B", "MADDE010185001", "09DAB78061", "123456789", "A1234-12345",
      ]))
  }

  private mutating func card(of person: Person) -> Card {
    var card = Card(
      1 + below(12), canadian: below(4) == 0, kind: pick(["DL", "DL", "ID", "EN"]))
    for (id, value) in person.elements where card[id] != nil { card[id] = value }
    // The first edition's class of vehicles, which an identity card does not have.
    if card.kind == "ID" { for id in ["DAR", "DAS", "DAT"] { card[id] = nil } }
    // Optional elements of every id, including free text and empty ones.
    let isCrowded = below(3) == 0
    // DAZ has content here, because names end in its bare letters (CORDAZ).
    for element in LicenceSeparationTests.optional + [("DCR", ""), ("DBG", "")]
    where below(isCrowded ? 3 : 16) == 0 && card[element.id] == nil {
      // A mailing address is always complete, and only the first edition has one.
      let isName = ["DAE", "DCU", "DAL", "DAP"].contains(element.id)
      if !isName { card.elements.append(element) }
    }
    if card.version == 1, below(4) == 0 {
      card.elements += [("DAL", "PO BOX 4"), ("DAN", "LOWMERE"), ("DAO", "WA"), ("DAP", "98001")]
    }
    if below(3) == 0 { card.jurisdiction = [] }
    if below(8) == 0 { card.fileType = pick(["AAMVA", "ANSI", "ANSI  "]) }
    if below(8) == 0 {
      card.start = pick([[0x40, 0x0A, 0x0D], [0x40], [], [0x40, 0x0A, 0x1C, 0x0D]])
    }
    if below(8) == 0 { card.hasJurisdictionVersion.toggle() }
    if below(8) == 0 { card.hasLetters = false }
    if below(8) == 0 { card.designator = { _, _, _ in "00000000" } }
    return card
  }

  /// Returns a card with two different values of an element, either among its elements or after its
  /// jurisdiction's.
  private mutating func contradictory(_ person: Person) -> Input {
    var card = card(of: person)
    let others = [
      ("DAQ", "OTHER77123"), ("DBB", "01011990"), ("DBA", "01012040"), ("DCS", "OTHER"),
      ("DCT", "OTHER,PERSON"), ("DAA", "OTHER,PERSON,X"), ("DCU", "IV"),
    ]
    let other = pick(others)
    let names: Set = ["DCS", "DCT", "DAA", "DCU"]
    let isSecond = below(2) == 0
    if isSecond {
      let isOurs = card.jurisdiction.isEmpty
      let bytes = card.bytes + latin1(card.kind + other.0 + other.1 + "\n")
      let differs = names.contains(other.0) && card.version == 1 ? other.0 == "DAA" : true
      guard differs else { return Input(kind: .contradictory, bytes: bytes, expected: .any) }
      return Input(
        kind: .contradictory, bytes: bytes, expected: isOurs ? .refused : .person(person))
    }
    guard card.version > 1 || !names.contains(other.0) || other.0 == "DAA" else {
      return Input(kind: .contradictory, bytes: card.bytes, expected: .person(person))
    }
    card.elements.append(other)
    return Input(kind: .contradictory, bytes: card.bytes, expected: .refused)
  }

  private mutating func restructured(_ person: Person) -> [UInt8] {
    var card = card(of: person)
    if below(2) == 0 { card.elements.shuffle(using: &generator) }
    if below(3) == 0 { card.elements.remove(at: below(card.elements.count)) }
    // A short value could be the end of a name: MADDEN and DDE with the value N.
    let repeatable = card.elements.filter { $0.value.utf8.count >= 5 }
    if below(6) == 0 { card.elements.append(pick(repeatable)) }
    var bytes = card.bytes
    let separators = bytes.indices.filter { $0 > 20 && [0x0A, 0x0D].contains(bytes[$0]) }
    let replacements: [[UInt8]] = [
      [], [], [0x20], [0x09], [0x0B], [0x1E], [0x90], [0xC2, 0x90], [0x0D, 0x0A], [0x7C], [0x4A],
      [0x2C], [0x2A], [0x2D],
    ]
    let isEverywhere = below(5) == 0
    let replacement = pick(replacements)
    let lost = isEverywhere ? separators : (0..<below(4)).map { _ in pick(separators) }
    for position in Set(lost).sorted(by: >) {
      bytes.replaceSubrange(position...position, with: replacement)
    }
    return bytes
  }

  private mutating func noise() -> [UInt8] {
    let header = latin1("@\n\u{1E}\rANSI 636045100102DL00410278ZW03190008DL")
    let pieces = [
      "DAQ", "DCS", "DAC", "DBB", "DBA", "06051987", "06152031", "\n", "\n", "\r", "ZW",
    ]
    var bytes = below(3) == 0 ? [] : header
    let isWordy = below(2) == 0
    for _ in 0..<below(60) {
      if isWordy, below(2) == 0 {
        bytes += latin1(pick(pieces))
      } else {
        for _ in 0...below(8) { bytes.append(UInt8(below(256))) }
      }
    }
    return bytes
  }

  // MARK: Random choices

  private mutating func below(_ count: Int) -> Int {
    count <= 0 ? 0 : Int.random(in: 0..<count, using: &generator)
  }

  private mutating func pick<Choices: RandomAccessCollection>(
    _ choices: Choices
  ) -> Choices.Element where Choices.Index == Int { choices[below(choices.count)] }
}
