public import WalletModel
internal import WalletProtocol
public import WalletTrust

extension CardRecord {
  /// By what the issuer of a card was trusted when the card was taken. So it can be told later
  /// whether it still is, without opening a copy.
  public struct Issuer: Codable, Equatable, Sendable {
    /// What tells the anchors above the issuer from others, as base64url.
    let authorities: [String]
    /// The types of the card.
    let types: [String]

    init(_ leaf: TrustedLeaf, types: [String]) {
      authorities = leaf.authorities.map(Base64URL.encode).sorted()
      self.types = types
    }
  }

  /// The state of the card as its owner sees it. That the issuer is not trusted any more is told
  /// only of a card that could be used.
  ///
  /// - Parameters:
  ///   - now: seconds since 1970.
  ///   - anchors: those of the configuration in force.
  public func state(at now: Int64, trusting anchors: TrustAnchors) -> CardState {
    let state = state(at: now)
    guard state.isUsable, let issuer else { return state }
    let isTrusted = anchors.trustIssuer(
      below: issuer.authorities.compactMap { Base64URL.decode($0) }, for: issuer.types, at: now)
    return isTrusted ? state : .untrusted
  }

  /// When time alone can change the state next, in seconds since 1970; nil if it never does. Of the
  /// end of an anchor, which is years away, nothing is said.
  public func nextTurn(after now: Int64) -> Int64? {
    copies.flatMap { copy in
      CardState.turns(
        issuedAt: copy.issuedAt, notBefore: copy.notBefore, expires: copy.expires)
        + [copy.status.known?.until].compactMap(\.self)
    }.filter { $0 > now }.min()
  }
}
