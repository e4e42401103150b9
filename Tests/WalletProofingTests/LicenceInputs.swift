@testable import WalletProofing

/// Endless inputs of every kind of damage, from cards of two invented people.
struct LicenceInputs {
  enum Kind: CaseIterable {
    /// A card that ends early.
    case truncated
    /// Bits changed.
    case flipped
    /// The beginning of one card and the end of another.
    case spliced
    /// Bytes that are no card, some behind a header and among element ids.
    case random
    /// Bytes changed, lost, doubled or moved.
    case mutated
    /// Whole elements in another order, lost or doubled, and separators lost or replaced: no text
    /// of the card changes, so what is read must be one.
    case restructured
  }

  struct Input {
    let kind: Kind
    let bytes: [UInt8]
    /// What the texts of the card may be; nil where the damage may change them.
    let texts: Set<String>?
  }

  /// The texts of both people as they are read, however a card spreads them over elements.
  private static let texts: [Set<String>] = [
    ["VANDERBLOOM", "MARIGOLD", "TESSA", "II", "VX0427193", "MARIGOLD TESSA"],
    ["MADDEN-DACOSTA", "SOLEDAD", "TRINIDAD", "JR", "D077A41DX9", "SOLEDAD TRINIDAD"],
  ]

  private var generator: SeededGenerator

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  mutating func next() -> Input {
    let kind = pick(Kind.allCases)
    let person = below(2)
    var bytes = card(of: person).bytes
    switch kind {
    case .truncated:
      bytes.removeLast(below(bytes.count + 1))
      return Input(kind: kind, bytes: bytes, texts: Self.texts[person])
    case .flipped:
      for _ in 0...below(8) { bytes[below(bytes.count)] ^= 1 << UInt8(below(8)) }
    case .spliced:
      let other = card(of: below(2)).bytes
      bytes = Array(bytes.prefix(below(bytes.count)) + other.suffix(below(other.count)))
    case .random: bytes = noise()
    case .mutated:
      for _ in 0...below(8) { mutate(&bytes, using: &generator) }
    case .restructured:
      return Input(kind: kind, bytes: restructured(person), texts: Self.texts[person])
    }
    return Input(kind: kind, bytes: bytes, texts: nil)
  }

  // MARK: Cards

  private mutating func card(of person: Int) -> Card {
    var card = Card(
      1 + below(12), canadian: below(4) == 0, kind: pick(["DL", "DL", "ID", "EN"]))
    if person == 1 {
      for (id, value) in [
        ("DAQ", "D077A41DX9"), ("DAA", "MADDEN-DACOSTA,SOLEDAD,TRINIDAD,JR"),
        ("DCS", "MADDEN-DACOSTA"), ("DCT", "SOLEDAD,TRINIDAD"), ("DAC", "SOLEDAD"),
        ("DAD", "TRINIDAD"), ("DCU", "JR"),
      ] where card[id] != nil {
        card[id] = value
      }
    }
    // The first edition's class of vehicles; nobody drives with an identity card.
    if card.kind == "ID" { for id in ["DAR", "DAS", "DAT"] { card[id] = nil } }
    // Elements that not every card has, among them free text and such without content.
    for element in [
      ("DBN", "ALIAS"), ("DCK", "0042X"), ("DCI", "LOWMERE"), ("DDK", "1"), ("DAZ", "BRO"),
      ("DAW", "140"), ("DCL", "W"), ("DDH", "06052005"), ("DCE", "4"), ("DCR", ""),
    ] where card.version > 1 && below(4) == 0 && card[element.0] == nil {
      card.elements.append(element)
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

  private mutating func restructured(_ person: Int) -> [UInt8] {
    var card = card(of: person)
    if below(2) == 0 { card.elements.shuffle(using: &generator) }
    if below(3) == 0 { card.elements.remove(at: below(card.elements.count)) }
    // A short one could be the end of a name: MADDEN and DDE, which says N.
    let repeatable = card.elements.filter { $0.value.utf8.count >= 5 }
    if below(6) == 0 { card.elements.append(pick(repeatable)) }
    var bytes = card.bytes
    let separators = bytes.indices.filter { $0 > 20 && [0x0A, 0x0D].contains(bytes[$0]) }
    let replacements: [[UInt8]] = [
      [], [], [0x20], [0x09], [0x0B], [0x1E], [0x90], [0xC2, 0x90], [0x0D, 0x0A], [0x7C], [0x4A],
    ]
    let isEverywhere = below(5) == 0
    let replacement = pick(replacements)
    let lost = isEverywhere ? separators : (0..<below(4)).map { _ in pick(separators) }
    for place in Set(lost).sorted(by: >) { bytes.replaceSubrange(place...place, with: replacement) }
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

  // MARK: Chance

  private mutating func below(_ count: Int) -> Int {
    count <= 0 ? 0 : Int.random(in: 0..<count, using: &generator)
  }

  private mutating func pick<Choices: RandomAccessCollection>(
    _ choices: Choices
  ) -> Choices.Element where Choices.Index == Int { choices[below(choices.count)] }
}
