internal import WalletCredentials
public import WalletModel
public import WalletTrust

/// A status list that cards refer to, and when it should be fetched.
public struct WantedStatusList: Equatable, Sendable {
  public let uri: String
  /// When it was last fetched, in seconds since 1970; nil if it never was.
  public let fetchedAt: Int64?
}

/// A card that is in another state than the owner was told.
public struct CardChange: Equatable, Sendable {
  public let id: String
  public let state: CardState

  public init(id: String, state: CardState) {
    self.id = id
    self.state = state
  }
}

extension CardStore {
  /// The status lists that should be fetched: those that were never fetched or whose answer has
  /// lapsed, the longest waiting first. Fetched on a schedule, and never because a card is used:
  /// otherwise the time of a use could be told from the requests.
  ///
  /// - Parameter now: seconds since 1970.
  public func wantedStatusLists(at now: Int64) throws(WalletError) -> [WantedStatusList] {
    var wanted: [WantedStatusList] = []
    for record in try records() where record.mayBecomeUsable(at: now) {
      for status in record.copies.map(\.status) {
        guard let uri = status.uri, status.isDue(at: now),
          !wanted.contains(where: { $0.uri.utf8.elementsEqual(uri.utf8) })
        else { continue }
        wanted.append(WantedStatusList(uri: uri, fetchedAt: status.known?.at))
      }
    }
    return wanted.sorted { ($0.fetchedAt ?? .min) < ($1.fetchedAt ?? .min) }
  }

  /// Notes that these lists are asked for now, of hosts of other parties.
  ///
  /// - Parameter now: seconds since 1970.
  public func noteAttempts(_ uris: [String], at now: Int64) throws(WalletError) {
    guard !uris.isEmpty else { return }
    for record in try records() { try update(record.id) { $0.noteAttempts(uris, at: now) } }
  }

  /// Checks a status list that was fetched, and notes what it says of the cards that refer to it. A
  /// list that does not verify changes nothing: what was known lapses in its time.
  ///
  /// - Parameters:
  ///   - text: the token as it came.
  ///   - uri: where it was fetched.
  ///   - now: seconds since 1970.
  /// - Throws: `cardRefused`, with the reason, if the list is not accepted.
  public func note(
    statusList text: String, uri: String, anchors: TrustAnchors, now: Int64
  ) throws(WalletError) {
    let list: StatusList
    do {
      let token = try StatusListToken(parsing: text)
      let signer = try anchors.judge(chain: token.chain, role: .statusList, now: now)
      list = try token.verify(uri: uri, by: signer.verifier)
    } catch let error as TrustError {
      throw WalletError(.cardRefused, "A status list is not trusted (\(error)).")
    } catch let error as StatusListError {
      throw WalletError(.cardRefused, "A status list does not verify (\(error)).")
    } catch { throw WalletError(.cardRefused, "A status list is unreadable.") }
    guard let lapse = list.lapse(fetchedAt: now) else {
      throw WalletError(.cardRefused, "A status list is expired or from the future.")
    }
    let read = CardRecord.ReadStatusList(
      uri: uri, issuedAt: list.issuedAt, fetchedAt: now, due: lapse.stale, expires: lapse.expired)
    for record in try records() {
      try update(record.id) { record in
        record.note(read) { index in try? list.status(at: index) }
      }
    }
  }

  /// The cards that are in another state than the owner was last told. They count as told when this
  /// returns.
  ///
  /// - Parameters:
  ///   - now: seconds since 1970.
  ///   - anchors: those of the configuration in force.
  public func takeChanges(
    at now: Int64, trusting anchors: TrustAnchors
  ) throws(WalletError) -> [CardChange] {
    var changes: [CardChange] = []
    for record in try records() {
      guard record.state(at: now, trusting: anchors) != record.toldState else { continue }
      var state: CardState?
      try update(record.id) { record in
        state = record.takeChange(to: record.state(at: now, trusting: anchors), at: now)
      }
      if let state { changes.append(CardChange(id: record.id, state: state)) }
    }
    return changes
  }

  /// When time alone can change the state of a card next, in seconds since 1970; nil if it never
  /// does.
  public func nextTurn(after now: Int64) throws(WalletError) -> Int64? {
    try records().compactMap { $0.nextTurn(after: now) }.min()
  }
}
