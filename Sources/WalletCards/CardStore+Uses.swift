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
  /// Chooses a copy of each card for one answer. Changes nothing: the use may be refused.
  ///
  /// - Parameters:
  ///   - cards: those that are shown. One that is shown several times is shown from one copy: who gets
  ///     the answer knows that it is of one holder, and sees no copy more than it has to.
  ///   - now: seconds since 1970.
  ///   - promised: those of other uses that are yet to come. They count as used, so that two answers do
  ///     not take one copy as long as there is another.
  /// - Returns: One copy of each card, in the order in which the cards are first named.
  /// - Throws: `cardUnknown`; `cardExpired`, `cardKeyLost` or `cardRefused` if no copy is usable or
  ///   intact.
  public func chooseCopies(
    of cards: [String], at now: Int64, besides promised: [ChosenCopy] = []
  ) throws(WalletError) -> [ChosenCopy] {
    var chosen: [ChosenCopy] = []
    for card in cards where !chosen.contains(where: { $0.card == card }) {
      chosen.append(try choose(card, at: now, besides: promised).chosen)
    }
    return chosen
  }

  /// Whether the copy that `chooseCopies` would choose was seen by a relying party, or will be.
  ///
  /// - Throws: as `chooseCopies`.
  public func isNextCopySeen(
    of card: String, at now: Int64, besides promised: [ChosenCopy] = []
  ) throws(WalletError) -> Bool {
    try choose(card, at: now, besides: promised).uses > 0
  }

  /// The copy to use next, and how often it was used, with the uses that are yet to come.
  private func choose(
    _ card: String, at now: Int64, besides promised: [ChosenCopy]
  ) throws(WalletError) -> (chosen: ChosenCopy, uses: UInt32) {
    let record = try usableRecord(of: card).assumingUses(of: promised)
    let copies = record.copiesInOrder(at: now)
    guard !copies.isEmpty else { throw Self.unusable(record.state(at: now)) }
    // A copy whose slot is damaged keeps nobody from the others.
    for copy in copies {
      do throws(WalletError) {
        let slot = try slot(of: copy.id)
        return (ChosenCopy(card: card, copy: copy.id, slot: slot), copy.uses)
      } catch  where [.storageCorrupt, .cardUnknown].contains(error.kind) { continue }
    }
    throw Self.unreadable
  }

  private func usableRecord(of card: String) throws(WalletError) -> CardRecord {
    do throws(WalletError) { return try record(of: card) } catch {
      throw error.kind == .storageCorrupt ? Self.unreadable : error
    }
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
  fileprivate func assumingUses(of promised: [ChosenCopy]) -> Self {
    var record = self
    for copy in promised where copy.card == id { record.assumeUse(of: copy.copy) }
    return record
  }

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
