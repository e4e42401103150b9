public import WalletCrypto
public import WalletModel
public import WalletProtocol
public import WalletStorage

/// A copy that was chosen for a use of its card.
public struct ChosenCopy: Equatable, Sendable {
  public let card: String
  /// The id of the copy.
  public let copy: String
  public let slot: CardSlot
}

extension CardStore {
  /// Chooses the copy for each use of a card. Changes nothing: the use may be refused.
  ///
  /// - Parameters:
  ///   - cards: the card of each use; one that is used twice is used in two copies, if it has them.
  ///   - now: seconds since 1970.
  ///   - promised: those of other uses that are yet to come. They count as used, so that two uses do
  ///     not take one copy as long as there is another.
  /// - Throws: `cardUnknown`; `cardExpired`, `cardKeyLost` or `cardRefused` if no copy is usable or
  ///   intact.
  public func chooseCopies(
    of cards: [String], at now: Int64, besides promised: [ChosenCopy] = []
  ) throws(WalletError) -> [ChosenCopy] {
    var records: [String: CardRecord] = [:]
    var chosen: [ChosenCopy] = []
    for card in cards {
      var record: CardRecord
      if let known = records[card] {
        record = known
      } else {
        record = try usableRecord(of: card)
        for copy in promised where copy.card == card { record.assumeUse(of: copy.copy) }
      }
      let copies = record.copiesInOrder(at: now)
      guard !copies.isEmpty else { throw Self.unusable(record.state(at: now)) }
      guard let copy = try firstIntact(copies, of: card) else { throw Self.unreadable }
      try record.countUse(of: copy.copy, at: now)
      records[card] = record
      chosen.append(copy)
    }
    return chosen
  }

  private func usableRecord(of card: String) throws(WalletError) -> CardRecord {
    do throws(WalletError) { return try record(of: card) } catch {
      throw error.kind == .storageCorrupt ? Self.unreadable : error
    }
  }

  /// The first of the copies whose slot is intact. One that is damaged keeps nobody from the others.
  private func firstIntact(
    _ copies: [CardRecord.Copy], of card: String
  ) throws(WalletError) -> ChosenCopy? {
    for copy in copies {
      do throws(WalletError) {
        return ChosenCopy(card: card, copy: copy.id, slot: try slot(of: copy.id))
      } catch  where [.storageCorrupt, .cardUnknown].contains(error.kind) { continue }
    }
    return nil
  }

  /// Counts the uses of all chosen copies, in one transaction. The count is on disk when this
  /// returns, so that a copy whose use was interrupted counts as seen by a verifier.
  ///
  /// - Parameter changes: what else changes in the same transaction.
  /// - Throws: as `chooseCopies`, if a card has changed since; then nothing is counted.
  public func countUses(
    _ chosen: [ChosenCopy], at now: Int64,
    with changes: (SealedStore.Transaction) throws -> Void = { _ in }
  ) throws(WalletError) {
    try store.transaction(label: "card.used") { transaction in
      for use in chosen {
        var record = try known(use.card, transaction)
        guard record.isUsable(use.copy, at: now) else {
          throw Self.unusable(record.state(at: now))
        }
        try record.countUse(of: use.copy, at: now)
        try save(record, transaction)
      }
      try changes(transaction)
    }
  }
}

extension CardRecord {
  /// Whether a copy can be used now.
  fileprivate func isUsable(_ copy: String, at now: Int64) -> Bool {
    state(at: now).isUsable && copies.contains { $0.id == copy && $0.state(at: now).isUsable }
  }
}

extension ChosenCopy {
  /// Opens the copy with the slot key that the provider returned.
  ///
  /// - Throws: `storageCorrupt`.
  public func open(with slotKey: Secret, walletID: String) throws(WalletError) -> CardCopy {
    try slot.open(with: slotKey, copyID: Base64URL.decode(copy) ?? [], walletID: walletID)
  }

  /// Seals the opened copy to the use key in force.
  public func sealed(
    _ opened: CardCopy, walletID: String, to useKey: PublishedKey
  ) throws(WalletError) -> CardSlot {
    try CardSlot(
      sealing: opened, copyID: Base64URL.decode(copy) ?? [], walletID: walletID, to: useKey)
  }
}
