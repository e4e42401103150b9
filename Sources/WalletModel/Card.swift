/// A card of the wallet as its holder sees it. Its claims are personal data and are never logged.
public struct Card: Equatable, Sendable {
  /// The value of a claim.
  public indirect enum Value: Equatable, Sendable {
    case text(String)
    case number(Int64)
    /// A number that is no 64-bit integer, as the issuer wrote it.
    case decimal(String)
    case truth(Bool)
    case list([Value])
    case members([String: Value])
    case nothing
  }

  /// One step on the way to a claim.
  public enum PathComponent: Hashable, Codable, Sendable {
    case name(String)
    case element(Int)
  }

  /// How many copies of a card there are, for a card that is held in copies.
  public struct Copies: Equatable, Sendable {
    public var count: Int
    /// Those that no verifier has seen and that could be used.
    public var unused: Int

    public init(count: Int, unused: Int) {
      self.count = count
      self.unused = unused
    }
  }

  /// The id of the card in this wallet, e.g. "pid".
  public var id: String
  /// The type of the credential (`vct`).
  public var type: String
  /// The issuer: of the PID as the PID names it, of another card as its certificate names it.
  public var issuer: String
  public var state: CardState
  /// Seconds since 1970.
  public var issuedAt: Int64?
  /// Seconds since 1970.
  public var expiresAt: Int64?
  public var display: CardDisplay
  public var copies: Copies?
  public var claims: [String: Value]
  /// The ways to the parts of the claims that the holder may withhold.
  public var disclosable: [[PathComponent]]

  public init(
    id: String, type: String, issuer: String, state: CardState, issuedAt: Int64?, expiresAt: Int64?,
    display: CardDisplay = CardDisplay(), copies: Copies? = nil, claims: [String: Value],
    disclosable: [[PathComponent]]
  ) {
    self.id = id
    self.type = type
    self.issuer = issuer
    self.state = state
    self.issuedAt = issuedAt
    self.expiresAt = expiresAt
    self.display = display
    self.copies = copies
    self.claims = claims
    self.disclosable = disclosable
  }
}
