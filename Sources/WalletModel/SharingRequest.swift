/// What a relying party asks for and what is chosen for it, as the user sees it before agreeing. It
/// has the ways to claims but not their values, so it may be kept while the wallet is locked.
public struct SharingRequest: Equatable, Sendable {
  /// Who asks. Name and identifier are those of its certificate.
  public struct Party: Equatable, Codable, Sendable {
    /// Nil if the certificate has no name that can be shown.
    public var name: String?
    public var identifier: String?
    /// Who certified it, by the name in the wallet's configuration.
    public var authority: String
    /// The host that gets the answer.
    public var host: String

    public init(name: String?, identifier: String?, authority: String, host: String) {
      self.name = name
      self.identifier = identifier
      self.authority = authority
      self.host = host
    }
  }

  /// What a registrar has certified of the relying party, for one use of data.
  public struct Registration: Equatable, Codable, Sendable {
    /// What the data is for, by language tags.
    public var purposes: [String: String]
    public var privacyPolicy: String?
    /// The registrar, by the name in the wallet's configuration.
    public var registrar: String

    public init(purposes: [String: String], privacyPolicy: String?, registrar: String) {
      self.purposes = purposes
      self.privacyPolicy = privacyPolicy
      self.registrar = registrar
    }
  }

  /// The way to claims of a card.
  public struct Path: Equatable, Codable, Sendable {
    /// A name or an index; nil for all elements of an array.
    public var components: [Card.PathComponent?]
    /// The same as a JSON array.
    public var text: String

    public init(components: [Card.PathComponent?], text: String) {
      self.components = components
      self.text = text
    }
  }

  /// What the user should know before agreeing.
  public enum Warning: String, CaseIterable, Sendable {
    /// No registrar vouches for what it asks.
    case notRegistered = "not-registered"
    /// It asks for more than it is registered for.
    case asksForMore = "asks-for-more"
    /// Its certificate does not name the host that gets the data.
    case hostNotCertified = "host-not-certified"
    /// A chosen card expires soon.
    case cardExpiresSoon = "card-expires-soon"
    /// The copy of a chosen card that would be shown was shown before, or is about to be, so relying
    /// parties could recognise it. As of when the request was read.
    case copiesUsedUp = "copies-used-up"
  }

  /// A card that can be chosen, or a combination of cards.
  public struct Option: Equatable, Sendable {
    /// The query of the relying party that the card answers; nil for a combination.
    public var query: String?
    /// Cards of one group exclude each other, unless the query takes several.
    public var group: Int
    /// The id of the card; nil for a combination.
    public var card: String?
    public var isChosen: Bool
    /// Whether choosing it once more takes the choice back.
    public var mayBeLeftOut: Bool
    /// The ways to the claims that the relying party would see beside those that are always seen.
    public var paths: [Path]

    public init(
      query: String?, group: Int, card: String?, isChosen: Bool, mayBeLeftOut: Bool,
      paths: [Path]
    ) {
      self.query = query
      self.group = group
      self.card = card
      self.isChosen = isChosen
      self.mayBeLeftOut = mayBeLeftOut
      self.paths = paths
    }
  }

  /// The id of this request in this wallet, random.
  public var id: String
  public var party: Party
  /// One for each use of data; empty if no registrar vouches for what it asks.
  public var registrations: [Registration]
  public var warnings: [Warning]
  /// Whether it is no more than a log-in.
  public var isLogin: Bool
  /// Whether the code was read from the display of another device.
  public var isFromOtherDevice: Bool
  /// How often this relying party got data of this wallet.
  public var sharedBefore: Int
  /// When it got data last, in seconds since 1970.
  public var lastSharedAt: Int64?
  /// Everything that can be chosen. Empty if the wallet lacks what is asked for.
  public var options: [Option]
  /// The types and claims that are asked for and not there; only if nothing can be chosen.
  public var missing: [Missing]
  /// When the request is over, in seconds since 1970; nil if it does not say.
  public var expiresAt: Int64?

  /// A card that is asked for and not there.
  public struct Missing: Equatable, Sendable {
    public var query: String
    /// The types that would do; empty for any.
    public var types: [String]
    public var paths: [Path]

    public init(query: String, types: [String], paths: [Path]) {
      self.query = query
      self.types = types
      self.paths = paths
    }
  }

  public init(
    id: String, party: Party, registrations: [Registration], warnings: [Warning], isLogin: Bool,
    isFromOtherDevice: Bool, sharedBefore: Int, lastSharedAt: Int64?, options: [Option],
    missing: [Missing], expiresAt: Int64?
  ) {
    self.id = id
    self.party = party
    self.registrations = registrations
    self.warnings = warnings
    self.isLogin = isLogin
    self.isFromOtherDevice = isFromOtherDevice
    self.sharedBefore = sharedBefore
    self.lastSharedAt = lastSharedAt
    self.options = options
    self.missing = missing
    self.expiresAt = expiresAt
  }

  /// Whether the user can choose between cards or combinations.
  public var hasChoice: Bool {
    options.contains(where: \.mayBeLeftOut)
      || Dictionary(grouping: options, by: \.group).values.contains { $0.count > 1 }
  }
}
