internal import WalletAccount
public import WalletModel
internal import WalletStorage

/// A card as it lies in the store. What is damaged of one card must not hide the others.
public enum StoredCard: Equatable, Sendable {
  case intact(CardRecord)
  /// Its record is missing or does not open.
  case damaged(id: String)

  public var id: String {
    switch self {
    case .intact(let record): record.id
    case .damaged(let id): id
    }
  }

  public var record: CardRecord? {
    if case .intact(let record) = self { record } else { nil }
  }
}

extension CardStore {
  /// Why a damaged card cannot be used.
  public static var unreadable: WalletError { unusable(.unreadable) }

  func stored(_ id: String, _ reader: SealedStore.Reader) throws -> StoredCard {
    try Self.unlessDamaged { .intact(try record(id, reader)) } ?? .damaged(id: id)
  }

  /// What is stored of several cards, in their order.
  func stored(_ ids: [String], _ reader: SealedStore.Reader) throws -> [StoredCard] {
    var cards: [StoredCard] = []
    cards.reserveCapacity(ids.count)
    try reader.account(ids.map(Self.recordName), key: accountKey) { index, stored in
      let id = ids[index]
      let record = try Self.unlessDamaged { try stored.map { try Self.record(id, $0) } }
      cards.append(record.map { .intact($0) } ?? .damaged(id: id))
    }
    return cards
  }

  /// The ids of all cards, in the order in which they are shown. If the list of them is damaged or
  /// missing, the names of what is stored tell them.
  func order(_ reader: SealedStore.Reader) throws -> [String] {
    let listed = try Self.unlessDamaged {
      try reader.account(Self.order, key: accountKey)?.record([String].self)
    }
    return try listed ?? recoveredOrder(reader)
  }

  /// The ids that names tell: the PID first, then the others in the order in which they came, those
  /// of which that is not known last.
  private func recoveredOrder(_ reader: SealedStore.Reader) throws -> [String] {
    let names = try Set(reader.accountNames() + reader.vaultNames())
    let ids = names.filter { $0.hasPrefix(Self.prefix) }
      .map { String($0.dropFirst(Self.prefix.count)) }
    let cards = try stored(ids, reader)
    return cards.sorted { first, second in
      guard (first.id == Self.pid) == (second.id == Self.pid) else { return first.id == Self.pid }
      let times = (first.record?.addedAt ?? .max, second.record?.addedAt ?? .max)
      return times.0 == times.1 ? first.id < second.id : times.0 < times.1
    }.map(\.id)
  }

  /// Deletes the slots of a card. Which slots a damaged card has is not known: those that no intact
  /// card names are deleted, as soon as no other damaged card could have them.
  func deleteSlots(of id: String, _ transaction: SealedStore.Transaction) throws {
    if case .intact(let record) = try stored(id, transaction) {
      for copy in record.copies { try transaction.deleteSlot(copy.id) }
      return
    }
    let others = try stored(order(transaction).filter { $0 != id }, transaction)
    let records = others.compactMap(\.record)
    guard records.count == others.count else { return }
    let named = Set(records.flatMap { $0.copies.map(\.id) })
    for slot in try transaction.slotNames() where !named.contains(slot) {
      try transaction.deleteSlot(slot)
    }
  }

  /// Returns nil if what `body` reads is damaged.
  static func unlessDamaged<Result>(_ body: () throws -> Result?) throws -> Result? {
    do { return try body() } catch let error as WalletError where error.kind == .storageCorrupt {
      return nil
    }
  }
}
