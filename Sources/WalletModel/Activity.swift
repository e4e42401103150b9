/// Something that the owner did with cards, or was asked to do, as the history tells it (UC6.1).
public struct Activity: Equatable, Sendable {
  public enum Kind: String, Codable, CaseIterable, Sendable {
    case sharing
    case login
  }

  public enum Result: String, Codable, CaseIterable, Sendable {
    /// The relying party has taken the data.
    case shared
    /// The relying party may have the data: its answer never came, or was an error.
    case mayHaveBeenShared = "may-have-been-shared"
    /// The owner refused; nothing was shared.
    case stopped
    /// It failed before anything was shared.
    case failed
  }

  /// A card of which claims were shared.
  public struct Item: Equatable, Codable, Sendable {
    /// Its id; the card may be gone by now.
    public var card: String
    /// Its type (`vct`).
    public var type: String
    /// Its name then.
    public var name: String?
    /// The ways to the claims.
    public var paths: [SharingRequest.Path]

    public init(card: String, type: String, name: String?, paths: [SharingRequest.Path]) {
      self.card = card
      self.type = type
      self.name = name
      self.paths = paths
    }
  }

  /// Grows with each activity.
  public var id: UInt64
  public var kind: Kind
  public var result: Result
  /// Seconds since 1970.
  public var at: Int64
  /// Of one that was never known only the host is here, which has given the request.
  public var party: SharingRequest.Party
  /// What the data was for.
  public var registrations: [SharingRequest.Registration]
  public var items: [Item]

  public init(
    id: UInt64, kind: Kind, result: Result, at: Int64, party: SharingRequest.Party,
    registrations: [SharingRequest.Registration] = [], items: [Item]
  ) {
    self.id = id
    self.kind = kind
    self.result = result
    self.at = at
    self.party = party
    self.registrations = registrations
    self.items = items
  }
}
