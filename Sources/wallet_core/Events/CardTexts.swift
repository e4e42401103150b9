internal import CWalletCore
internal import FoundationEssentials
internal import WalletModel
internal import WalletSystem

/// The texts of a card. They live as long as the event, because C hosts keep pointers to them.
final class CardTexts: Sendable {
  /// A claim, or a part of a structured claim.
  struct Claim: Sendable {
    let name: StableText
    let text: StableText
    let path: StableText
    let isDisclosable: Bool
  }

  let claims: [Claim]
  let state: wallet_core_card_state
  private let texts: [(name: StableText, text: StableText)]
  private let numbers: [(name: StableText, number: Int64)]

  init(_ card: Card) {
    state = card.state.code
    let times = [("issued_at", card.issuedAt), ("expires_at", card.expiresAt)]
    let display = card.display
    texts =
      [
        ("id", card.id), ("type", card.type), ("issuer", card.issuer),
        ("name", display.name ?? ""), ("background_color", display.backgroundColor ?? ""),
        ("text_color", display.textColor ?? ""),
      ].map { (StableText($0.0), StableText($0.1)) }
      + times.map { (StableText($0.0), StableText($0.1.map(CardTime.text) ?? "")) }
    numbers =
      card.copies.map { copies in
        [
          (StableText("copies"), Int64(copies.count)),
          (StableText("unused_copies"), Int64(copies.unused)),
        ]
      } ?? []
    let withheld = Set(card.disclosable)
    claims = Self.leaves(.members(card.claims), at: []).map { leaf in
      Claim(
        name: StableText(Self.name(leaf.path)), text: StableText(leaf.text),
        path: StableText(Self.json(leaf.path)),
        isDisclosable: leaf.path.indices.contains { withheld.contains(Array(leaf.path[...$0])) })
    }
  }

  func text(_ name: UnsafePointer<CChar>?) -> StableText? {
    guard let name else { return nil }
    return texts.first { CText.areEqual($0.name.start, name) }?.text
  }

  func number(_ name: UnsafePointer<CChar>?) -> Int64? {
    guard let name else { return nil }
    return numbers.first { CText.areEqual($0.name.start, name) }?.number
  }

  private typealias Path = [Card.PathComponent]

  private static func leaves(_ value: Card.Value, at path: Path) -> [(path: Path, text: String)] {
    switch value {
    case .text(let text), .decimal(let text): [(path, text)]
    case .number(let number): [(path, String(number))]
    case .truth(let truth): [(path, truth ? "true" : "false")]
    case .nothing: [(path, "")]
    case .list(let values) where values.isEmpty && !path.isEmpty: [(path, "")]
    case .members(let members) where members.isEmpty && !path.isEmpty: [(path, "")]
    case .list(let values):
      values.enumerated().flatMap { leaves($0.element, at: path + [.element($0.offset)]) }
    case .members(let members):
      members.sorted { $0.key < $1.key }.flatMap { leaves($0.value, at: path + [.name($0.key)]) }
    }
  }

  private static func name(_ path: Path) -> String {
    path.map { component in
      switch component {
      case .name(let name): name
      case .element(let index): String(index)
      }
    }.joined(separator: ".")
  }

  private static func json(_ path: Path) -> String {
    JSONText.encode(path.map { CardDocument.Component(component: $0) })
  }
}

extension CardState {
  /// The code in the header.
  var code: wallet_core_card_state {
    switch self {
    case .valid: WALLET_CORE_CARD_STATE_VALID
    case .expiresSoon: WALLET_CORE_CARD_STATE_EXPIRES_SOON
    case .notYetValid: WALLET_CORE_CARD_STATE_NOT_YET_VALID
    case .expired: WALLET_CORE_CARD_STATE_EXPIRED
    case .revoked: WALLET_CORE_CARD_STATE_REVOKED
    case .suspended: WALLET_CORE_CARD_STATE_SUSPENDED
    case .unchecked: WALLET_CORE_CARD_STATE_UNCHECKED
    case .keyLost: WALLET_CORE_CARD_STATE_KEY_LOST
    case .untrusted: WALLET_CORE_CARD_STATE_UNTRUSTED
    case .unreadable: WALLET_CORE_CARD_STATE_UNREADABLE
    }
  }
}

/// Times of a card as hosts read them: RFC 3339, in UTC.
enum CardTime {
  /// "2026-01-31T23:59:59Z".
  static func text(_ secondsSince1970: Int64) -> String {
    Date(timeIntervalSince1970: Double(secondsSince1970)).formatted(.iso8601)
  }
}
