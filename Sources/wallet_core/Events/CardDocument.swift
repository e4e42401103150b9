internal import WalletModel

/// The JSON of a card.
struct CardDocument: Encodable {
  let id: String
  let type: String
  let issuer: String
  let issuedAt: String
  let expiresAt: String
  let isExpired: Bool
  let claims: [String: Value]
  let disclosable: [String]

  init(_ card: Card) {
    id = card.id
    type = card.type
    issuer = card.issuer
    issuedAt = CardTime.text(card.issuedAt)
    expiresAt = CardTime.text(card.expiresAt)
    isExpired = card.isExpired
    claims = card.claims.mapValues { Value(value: $0) }
    disclosable = card.disclosable
  }

  private enum CodingKeys: String, CodingKey {
    case id, type, issuer, claims, disclosable
    case issuedAt = "issued_at"
    case expiresAt = "expires_at"
    case isExpired = "is_expired"
  }

  /// A claim's value, as structured as it was issued.
  struct Value: Encodable {
    let value: Card.Value

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      switch value {
      case .text(let text): try container.encode(text)
      case .number(let number): try container.encode(number)
      case .truth(let truth): try container.encode(truth)
      case .nothing: try container.encodeNil()
      case .list(let values): try container.encode(values.map { Value(value: $0) })
      case .members(let members): try container.encode(members.mapValues { Value(value: $0) })
      }
    }
  }
}
