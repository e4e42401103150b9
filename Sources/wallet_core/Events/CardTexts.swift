internal import FoundationEssentials
internal import WalletModel
internal import WalletSystem

/// The texts of a card. They live as long as the event, because C hosts keep pointers to them.
final class CardTexts: Sendable {
  /// A claim, or a member of a structured claim.
  struct Claim: Sendable {
    let name: StableText
    let text: StableText
    let isDisclosable: Bool
  }

  let claims: [Claim]
  let isExpired: Bool
  private let texts: [(name: StableText, text: StableText)]

  init(_ card: Card) {
    isExpired = card.isExpired
    texts = [
      ("id", card.id), ("type", card.type), ("issuer", card.issuer),
      ("issued_at", CardTime.text(card.issuedAt)), ("expires_at", CardTime.text(card.expiresAt)),
    ].map { (StableText($0.0), StableText($0.1)) }
    claims = card.claims.sorted { $0.key < $1.key }.flatMap { name, value in
      Self.leaves(name, value).map { leaf in
        Claim(
          name: StableText(leaf.name), text: StableText(leaf.text),
          isDisclosable: card.disclosable.contains(name))
      }
    }
  }

  func text(_ name: UnsafePointer<CChar>?) -> StableText? {
    guard let name else { return nil }
    return texts.first { CText.areEqual($0.name.start, name) }?.text
  }

  private static func leaves(_ name: String, _ value: Card.Value) -> [(name: String, text: String)]
  {
    switch value {
    case .text(let text): [(name, text)]
    case .number(let number): [(name, String(number))]
    case .truth(let truth): [(name, truth ? "true" : "false")]
    case .nothing: [(name, "")]
    case .list(let values):
      values.enumerated().flatMap { leaves("\(name).\($0.offset)", $0.element) }
    case .members(let members):
      members.sorted { $0.key < $1.key }.flatMap { leaves("\(name).\($0.key)", $0.value) }
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
