public import WalletCrypto
public import WalletModel
public import WalletProtocol
internal import WalletStorage

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
  /// - Throws: `cardUnknown`; `cardExpired`, `cardKeyLost` or `cardRefused` if no copy is usable.
  public func chooseCopies(
    of cards: [String], at now: Int64
  ) throws(WalletError) -> [ChosenCopy] {
    var records: [String: CardRecord] = [:]
    var chosen: [ChosenCopy] = []
    for card in cards {
      var record: CardRecord
      if let known = records[card] { record = known } else { record = try self.record(of: card) }
      guard let copy = record.nextCopy(at: now) else {
        throw Self.unusable(record.state(at: now))
      }
      try record.countUse(of: copy.id, at: now)
      records[card] = record
      chosen.append(ChosenCopy(card: card, copy: copy.id, slot: try slot(of: copy.id)))
    }
    return chosen
  }

  /// Counts the uses of all chosen copies, in one transaction. The count is on disk when this
  /// returns, so that a copy whose use was interrupted counts as seen by a verifier.
  ///
  /// - Throws: as `chooseCopies`, if a card has changed since; then nothing is counted.
  public func countUses(_ chosen: [ChosenCopy], at now: Int64) throws(WalletError) {
    try store.transaction(label: "card.used") { transaction in
      for use in chosen {
        var record = try known(use.card, transaction)
        guard record.isUsable(use.copy, at: now) else {
          throw Self.unusable(record.state(at: now))
        }
        try record.countUse(of: use.copy, at: now)
        try save(record, transaction)
      }
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
