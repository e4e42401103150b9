internal import WalletModel

/// The JSON of a card.
struct CardDocument: Encodable {
  let id: String
  let type: String
  let issuer: String
  let state: String
  let issuedAt: String?
  let expiresAt: String?
  let name: String?
  let backgroundColor: String?
  let textColor: String?
  let copies: Int?
  let unusedCopies: Int?
  let claims: [String: Value]
  let disclosable: [[Component]]

  init(_ card: Card) {
    id = card.id
    type = card.type
    issuer = card.issuer
    state = card.state.rawValue
    issuedAt = card.issuedAt.map(CardTime.text)
    expiresAt = card.expiresAt.map(CardTime.text)
    name = card.display.name
    backgroundColor = card.display.backgroundColor
    textColor = card.display.textColor
    copies = card.copies?.count
    unusedCopies = card.copies?.unused
    claims = card.claims.mapValues { Value(value: $0) }
    disclosable = card.disclosable.map { $0.map { Component(component: $0) } }
  }

  private enum CodingKeys: String, CodingKey {
    case id, type, issuer, state, name, copies, claims, disclosable
    case issuedAt = "issued_at"
    case expiresAt = "expires_at"
    case backgroundColor = "background_color"
    case textColor = "text_color"
    case unusedCopies = "unused_copies"
  }

  /// A step on the way to a claim: a name or an index.
  struct Component: Encodable {
    let component: Card.PathComponent

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      switch component {
      case .name(let name): try container.encode(name)
      case .element(let index): try container.encode(index)
      }
    }
  }

  /// A claim's value, as structured as it was issued.
  struct Value: Encodable {
    let value: Card.Value

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      switch value {
      case .text(let text): try container.encode(text)
      case .number(let number): try container.encode(number)
      case .decimal(let text):
        // The nearest number that readers of JSON have. What is beyond all of them stays a text.
        if let number = Double(text), number.isFinite {
          try container.encode(number)
        } else {
          try container.encode(text)
        }
      case .truth(let truth): try container.encode(truth)
      case .nothing: try container.encodeNil()
      case .list(let values): try container.encode(values.map { Value(value: $0) })
      case .members(let members): try container.encode(members.mapValues { Value(value: $0) })
      }
    }
  }
}
