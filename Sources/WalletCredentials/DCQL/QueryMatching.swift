public import WalletProtocol

/// A card as a query sees it.
public struct QueriedCard: Equatable, Sendable {
  public var id: String
  public var format: String
  /// The card's type, and those that it extends.
  public var types: Set<String>
  /// All claims about the holder, whether they can be withheld or not.
  public var claims: JSONValue
  /// What it states of itself, at paths that are `isOfCard`, as far as all its copies state the same.
  public var terms: [String: JSONValue]
  /// The ways to all parts of `claims` that can be withheld.
  public var disclosable: [ClaimsPath]
  /// Whether it is bound to a key of the wallet.
  public var isBound: Bool
  /// The key identifiers of the authorities in the chain of its issuer, as base64url.
  public var authorities: Set<String>
  /// Whether it can be shown: neither expired nor withdrawn.
  public var isUsable: Bool

  public init(
    id: String, format: String = CredentialQuery.sdJWT, types: Set<String>, claims: JSONValue,
    terms: [String: JSONValue] = [:], disclosable: [ClaimsPath] = [], isBound: Bool = true,
    authorities: Set<String> = [], isUsable: Bool = true
  ) {
    self.id = id
    self.format = format
    self.types = types
    self.claims = claims
    self.terms = terms
    self.disclosable = disclosable
    self.isBound = isBound
    self.authorities = authorities
    self.isUsable = isUsable
  }
}

/// A card that answers a query, and what of it.
public struct QueryMatch: Equatable, Sendable {
  public let card: String
  /// The claims that are shown beside those that cannot be withheld; no path twice. They may be more
  /// than what was asked for: with a part of a member that can be shown only whole, the member.
  public let paths: [ClaimsPath]

  public init(card: String, paths: [ClaimsPath]) {
    self.card = card
    self.paths = paths
  }
}

extension CredentialQuery {
  /// Returns what of `card` answers the query; nil if it does not. A card is never shown in part:
  /// without one of the claims it does not answer.
  ///
  /// Whoever refuses a query must not let the verifier tell a claim of another value from a card
  /// that is not there, so there is one nil for all reasons.
  public func match(_ card: QueriedCard) -> QueryMatch? {
    guard card.isUsable, card.format == format, card.isBound || !needsBinding,
      types.map({ !$0.isDisjoint(with: card.types) }) ?? true,
      authorities.map({ $0.contains { $0.fits(card) } }) ?? true,
      let wanted = wantedClaims(of: card)
    else { return nil }
    // Everyone sees what the card states of itself, so it is nothing to choose or to agree to.
    let asked = wanted.map(\.path).filter { !$0.isOfCard }
    let paths = WithheldParts(card.disclosable).shown(asked, in: card.claims)
    return QueryMatch(card: card.id, paths: paths)
  }

  /// The claims to show; nil if the card lacks some.
  private func wantedClaims(of card: QueriedCard) -> [ClaimQuery]? {
    guard let claims else { return [] }
    guard let claimSets else {
      return claims.allSatisfy { $0.isAnswered(by: card) } ? claims : nil
    }
    // The first set that can be met, in the order of the verifier's liking. It is no menu.
    return claimSets.lazy.map { ids in claims.filter { $0.id.map(ids.contains) ?? false } }
      .first { $0.allSatisfy { $0.isAnswered(by: card) } }
  }
}

extension ClaimsPath {
  /// Whether it leads to what a card states of itself, which its issuer cannot hide: no claim about
  /// the holder (draft-ietf-oauth-sd-jwt-vc-13 section 3.2.2).
  public var isOfCard: Bool {
    if case .name(let name)? = components.first { Self.ofCards.contains(name) } else { false }
  }

  private static let ofCards: Set<String> = ["vct", "iss", "nbf", "exp"]
}

extension ClaimQuery {
  /// Whether the claim is there and, if values are named, has one of them: of the same type.
  fileprivate func isAnswered(by card: QueriedCard) -> Bool {
    let claims = path.isOfCard ? .object(card.terms) : card.claims
    guard let found = try? path.select(in: claims) else { return false }
    guard let values else { return true }
    return found.contains { claim in values.contains { $0.isSame(as: claim) } }
  }
}

extension JSONValue {
  /// Whether two values are equal. Strings are compared byte for byte: Swift also takes texts for
  /// equal that only look the same.
  fileprivate func isSame(as other: JSONValue) -> Bool {
    if case .string(let one) = self, case .string(let two) = other {
      return one.utf8.elementsEqual(two.utf8)
    }
    return self == other
  }
}

extension TrustedAuthority {
  fileprivate func fits(_ card: QueriedCard) -> Bool {
    type == "aki" && values.contains(where: card.authorities.contains)
  }
}
