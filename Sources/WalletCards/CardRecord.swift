public import WalletCredentials
public import WalletModel
internal import WalletProtocol

/// What is known of a card besides its content, sealed under the account key: its copies, their
/// status and what happened to it. The wallet reads it while it is locked, to check the status and
/// to replace copies in time.
public struct CardRecord: Codable, Equatable, Sendable {
  /// Something that happened to a card.
  public struct HistoryEntry: Codable, Equatable, Sendable {
    public enum Kind: String, Codable, Sendable {
      case added
      /// A copy was about to be sent to a verifier.
      case used
      /// The card is in another state.
      case changed
    }

    /// Seconds since 1970.
    public var at: Int64
    public var kind: Kind
    /// The new state, of a change.
    public var state: CardState?
  }

  /// What is known of one copy.
  public struct Copy: Codable, Equatable, Sendable {
    /// Base64url of 16 random bytes.
    public var id: String
    /// How often it was used. A use is counted before it happens.
    public var uses: UInt32 = 0
    /// Seconds since 1970 (`iat`).
    public var issuedAt: Int64?
    /// Seconds since 1970 (`nbf`).
    public var notBefore: Int64?
    /// Seconds since 1970 (`exp`).
    public var expires: Int64?
    public var status: CopyStatus
    /// Whether the platform has lost its key.
    public var isKeyLost = false
    /// Whether the provider could not open its slot when it was to be used last. It is then tried
    /// after all others, because the provider may have its key again.
    public var isClosed: Bool?
  }

  /// The number of entries that are kept; the oldest ones leave.
  public static let maximumHistory = 200

  public private(set) var schema = 1
  /// The id of the card in this wallet.
  public let id: String
  public private(set) var copies: [Copy]
  public private(set) var history: [HistoryEntry]
  /// Who issued it; nil in a card that was stored before this was kept.
  public let issuer: Issuer?
  /// The last state of which the owner was told.
  public private(set) var toldState: CardState

  init(id: String, copies: [Copy], issuer: Issuer? = nil, at now: Int64) {
    self.id = id
    self.copies = copies
    self.issuer = issuer
    history = [HistoryEntry(at: now, kind: .added)]
    toldState = .valid
    toldState = state(at: now)
  }

  /// Seconds since 1970.
  public var addedAt: Int64? { history.first { $0.kind == .added }?.at }

  /// The state of the card. A batch of copies is withdrawn at random moments, so a card is withdrawn
  /// as soon as one of its copies is, also if that copy has expired or its key is gone. Otherwise it
  /// is in the state of its best copy.
  ///
  /// - Parameter now: seconds since 1970.
  public func state(at now: Int64) -> CardState {
    let verdicts = copies.map { $0.status.verdict(at: now) }
    if verdicts.contains(.revoked) { return .revoked }
    if verdicts.contains(.suspended) { return .suspended }
    return copies.map { $0.state(at: now) }.min { $0.rank < $1.rank } ?? .keyLost
  }

  /// When the first copy was issued, in seconds since 1970; nil if none says so.
  public var issuedAt: Int64? { copies.compactMap(\.issuedAt).min() }

  /// When the last copy expires, in seconds since 1970; nil if one never does.
  public var expires: Int64? {
    copies.contains { $0.expires == nil } ? nil : copies.compactMap(\.expires).max()
  }

  /// Whether a status list can still make a difference: not for a card that was withdrawn for good,
  /// and not if each copy has expired or has lost its key.
  func mayBecomeUsable(at now: Int64) -> Bool {
    state(at: now) != .revoked
      && copies.contains { !$0.isKeyLost && now < $0.expires ?? .max }
  }

  /// The copy to use next; nil if none is usable.
  public func nextCopy(at now: Int64) -> Copy? { copiesInOrder(at: now).first }

  /// The usable copies in the order in which they are used: the least used one and, of several, the
  /// one in the best state. One whose slot did not open comes last.
  func copiesInOrder(at now: Int64) -> [Copy] {
    guard state(at: now).isUsable else { return [] }
    return copies.filter { $0.state(at: now).isUsable }.sorted { first, second in
      first.order(at: now) < second.order(at: now)
    }
  }

  /// The number of copies that no verifier has seen and that could be used.
  public func unusedCount(at now: Int64) -> Int {
    copies.count { $0.uses == 0 && $0.state(at: now).isUsable }
  }

  /// Counts a use of a copy.
  ///
  /// - Throws: `cardUnknown` if there is no such copy.
  mutating func countUse(of copy: String, at now: Int64) throws(WalletError) {
    guard let index = copies.firstIndex(where: { $0.id == copy }) else {
      throw WalletError(.cardUnknown, "The card has no such copy.")
    }
    if copies[index].uses < .max { copies[index].uses += 1 }
    copies[index].isClosed = nil
    append(HistoryEntry(at: now, kind: .used))
  }

  /// Takes a use into account that is yet to come, to choose another copy.
  mutating func assumeUse(of copy: String) {
    for index in copies.indices where copies[index].id == copy && copies[index].uses < .max {
      copies[index].uses += 1
    }
  }

  public mutating func noteLostKey(of copy: String) {
    for index in copies.indices where copies[index].id == copy { copies[index].isKeyLost = true }
  }

  /// Notes that the provider could not open the slot of a copy.
  public mutating func noteClosedSlot(of copy: String) {
    for index in copies.indices where copies[index].id == copy { copies[index].isClosed = true }
  }

  /// A status list that was fetched and checked. All times are seconds since 1970.
  public struct ReadStatusList: Sendable {
    public var uri: String
    public var issuedAt: Int64
    public var fetchedAt: Int64
    /// When it should be fetched again.
    public var due: Int64
    /// When it says nothing any more.
    public var expires: Int64

    public init(uri: String, issuedAt: Int64, fetchedAt: Int64, due: Int64, expires: Int64) {
      self.uri = uri
      self.issuedAt = issuedAt
      self.fetchedAt = fetchedAt
      self.due = due
      self.expires = expires
    }
  }

  /// Notes what a status list says of the copies that refer to it.
  ///
  /// - Parameter status: of an index; nil if the list has no such entry.
  public mutating func note(_ list: ReadStatusList, status: (Int64) -> TokenStatus?) {
    for index in copies.indices {
      guard let listIndex = copies[index].status.index(in: list.uri) else { continue }
      copies[index].status.note(status(listIndex), list)
    }
  }

  /// Notes that these lists are asked for, of hosts of other parties.
  public mutating func noteAttempts(_ uris: [String], at now: Int64) {
    for index in copies.indices
    where uris.contains(where: { copies[index].status.index(in: $0) != nil }) {
      copies[index].status.noteAttempt(at: now)
    }
  }

  /// Returns the state if it is another one than the owner was last told, and notes that it was
  /// told.
  public mutating func takeChange(to state: CardState, at now: Int64) -> CardState? {
    guard state != toldState else { return nil }
    toldState = state
    // That a list has lapsed or was read again is nothing that happened to the card, and would push
    // the uses out of the history.
    let last = history.last { $0.kind == .changed }?.state
    if state != .unchecked, state != last {
      append(HistoryEntry(at: now, kind: .changed, state: state))
    }
    return state
  }

  private mutating func append(_ entry: HistoryEntry) {
    history.append(entry)
    // The first entry says since when the card is here, and stays.
    if history.count > Self.maximumHistory { history.remove(at: 1) }
  }
}

extension CardRecord.Copy {
  /// The lower, the sooner it is used.
  fileprivate func order(at now: Int64) -> (Int, UInt32, Int) {
    (isClosed == true ? 1 : 0, uses, state(at: now).rank)
  }

  /// The state of this copy alone.
  ///
  /// - Parameter now: seconds since 1970.
  public func state(at now: Int64) -> CardState {
    if isKeyLost { return .keyLost }
    let byTimes = CardState(
      issuedAt: issuedAt, notBefore: notBefore, expires: expires, now: now)
    guard byTimes.isUsable else { return byTimes }
    switch status.verdict(at: now) {
    case .good: return byTimes
    case .revoked: return .revoked
    case .suspended: return .suspended
    case .unknown: return .unchecked
    }
  }
}

extension CardState {
  /// The lower, the better for a card to be in this state.
  fileprivate var rank: Int {
    switch self {
    case .valid: 0
    case .expiresSoon: 1
    case .unchecked: 2
    case .notYetValid: 3
    case .suspended: 4
    case .revoked: 5
    case .expired: 6
    case .keyLost: 7
    // No copy alone is in one of these.
    case .untrusted, .unreadable: 8
    }
  }
}
