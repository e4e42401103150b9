/// A card of the wallet as its holder sees it. Its claims are personal data and are never logged.
public struct Card: Equatable, Sendable {
  /// The value of a claim.
  public indirect enum Value: Equatable, Sendable {
    case text(String)
    case number(Int64)
    case truth(Bool)
    case list([Value])
    case members([String: Value])
    case nothing
  }

  /// The id of the card in this wallet, e.g. "pid".
  public var id: String
  /// The type of the credential (`vct`).
  public var type: String
  /// The issuer as the credential names it.
  public var issuer: String
  /// Seconds since 1970.
  public var issuedAt: Int64
  /// Seconds since 1970.
  public var expiresAt: Int64
  /// Whether it has expired by the provider's clock.
  public var isExpired: Bool
  public var claims: [String: Value]
  /// The names of the claims that the holder may withhold, sorted.
  public var disclosable: [String]

  public init(
    id: String, type: String, issuer: String, issuedAt: Int64, expiresAt: Int64, isExpired: Bool,
    claims: [String: Value], disclosable: [String]
  ) {
    self.id = id
    self.type = type
    self.issuer = issuer
    self.issuedAt = issuedAt
    self.expiresAt = expiresAt
    self.isExpired = isExpired
    self.claims = claims
    self.disclosable = disclosable
  }
}
