public import WalletAccount
internal import WalletCredentials
public import WalletModel
public import WalletTrust
internal import WalletProtocol

extension Account {
  /// The cards of the wallet, the PID among them.
  public var cards: CardStore { CardStore(store: store, accountKey: accountKey) }

  /// The history of what the owner did with them.
  public var activities: ActivityStore { ActivityStore(store: store) }
}

extension Card {
  /// A card as it is shown. One of which the record or the content is damaged is shown without its
  /// claims, with what else is known of it.
  ///
  /// - Parameters:
  ///   - content: nil if it is damaged.
  ///   - now: seconds since 1970.
  public init(
    _ card: StoredCard, _ content: CardContent?, trusting anchors: TrustAnchors, now: Int64
  ) {
    if let record = card.record, let content {
      self.init(record, content, trusting: anchors, now: now)
      return
    }
    self.init(
      id: card.id, type: content?.type ?? "", issuer: content?.issuer ?? "", state: .unreadable,
      issuedAt: card.record?.issuedAt, expiresAt: card.record?.expires,
      display: content?.display ?? CardDisplay(), claims: [:], disclosable: [])
  }

  private init(
    _ record: CardRecord, _ content: CardContent, trusting anchors: TrustAnchors, now: Int64
  ) {
    self.init(
      id: record.id, type: content.type, issuer: content.issuer,
      state: record.state(at: now, trusting: anchors),
      issuedAt: record.issuedAt, expiresAt: record.expires, display: content.display,
      copies: Copies(count: record.copies.count, unused: record.unusedCount(at: now)),
      claims: content.claims.mapValues(Value.init),
      disclosable: content.disclosable.map { path in
        path.components.compactMap { component in
          switch component {
          case .name(let name): .name(name)
          case .element(let index): .element(index)
          // No way to one part has it.
          case .everyElement: nil
          }
        }
      })
  }
}

extension Card.Value {
  init(_ json: JSONValue) {
    switch json {
    case .null: self = .nothing
    case .boolean(let value): self = .truth(value)
    case .integer(let value): self = .number(value)
    case .number(let text): self = .decimal(text)
    case .string(let text): self = .text(text)
    case .array(let values): self = .list(values.map(Card.Value.init))
    case .object(let members): self = .members(members.mapValues(Card.Value.init))
    }
  }
}
