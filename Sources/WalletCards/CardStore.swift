internal import WalletAccount
public import WalletCrypto
public import WalletModel
internal import WalletProtocol
public import WalletStorage

/// The cards of the wallet. Each has a record under the account key, its content under the vault
/// key, and a slot for each copy. What belongs together changes in one transaction.
public struct CardStore {
  package let store: SealedStore
  let accountKey: Secret

  /// Account: the ids of all cards, in the order in which they are shown.
  static let order = "cards"
  /// Keyring, plain: identifiers of keys of deleted cards, until the platform has deleted them.
  static let releasedKeys = "card.released-keys"
  /// The id of the PID.
  public static let pid = "pid"
  /// The maximum number of cards.
  public static let maximumCount = 1000

  static let prefix = "card."
  static func recordName(_ id: String) -> String { prefix + id }
  static func contentName(_ id: String) -> String { prefix + id }

  public init(store: SealedStore, accountKey: Secret) {
    self.store = store
    self.accountKey = accountKey
  }

  /// All cards, in the order in which they are shown.
  public func all() throws(WalletError) -> [StoredCard] {
    try store.read { reader in try stored(order(reader), reader) }
  }

  /// All cards with their contents, sealed, in the order in which they are shown. The content is nil
  /// if it is missing or damaged.
  public func allWithContents() throws(WalletError) -> (
    cards: [StoredCard], contents: [SealedVaultValue?]
  ) {
    try store.read { reader in
      let cards = try stored(order(reader), reader)
      return (cards, try reader.sealedVault(cards.map { Self.contentName($0.id) }))
    }
  }

  /// The records of all cards whose record is intact, in the order in which they are shown.
  public func records() throws(WalletError) -> [CardRecord] { try all().compactMap(\.record) }

  /// The record of a card.
  ///
  /// - Throws: `cardUnknown`; `storageCorrupt` if it is damaged.
  public func record(of id: String) throws(WalletError) -> CardRecord {
    try store.read { try known(id, $0) }
  }

  /// The PID, whose record is readable while the wallet is locked; nil if there is none.
  public func storedPID() throws(WalletError) -> StoredCard? {
    try store.read { reader in
      guard try order(reader).contains(Self.pid) else { return nil }
      return try stored(Self.pid, reader)
    }
  }

  /// The content of a card, sealed. It may be intact although the record is not.
  ///
  /// - Throws: `cardUnknown`; `storageCorrupt` if there is none.
  public func content(of id: String) throws(WalletError) -> SealedVaultValue {
    try store.read { reader in
      try requireListed(id, reader)
      guard let sealed = try reader.sealedVault(Self.contentName(id)) else { throw Self.missing }
      return sealed
    }
  }

  /// The slot of a copy.
  ///
  /// - Throws: `cardUnknown`.
  public func slot(of copy: String) throws(WalletError) -> CardSlot {
    let stored = try store.read { try $0.slot(copy) }
    guard let stored else {
      throw WalletError(.cardUnknown, "There is no such copy of a card.")
    }
    return try CardSlot(stored: stored)
  }

  /// What is stored of a card with all its copies.
  struct NewCard {
    let record: CardRecord
    let content: SealedVaultValue
    let slots: [String: CardSlot]
    /// The identifiers of the keys of its copies, which are then no longer prepared ones.
    let keys: [String]
    let purpose: CardKeyPurpose
  }

  /// Stores a card, in place of an earlier one with its id.
  ///
  /// - Parameters:
  ///   - formerKeys: those of the earlier card, as far as they are known, which are then released;
  ///     nil if there is no such card.
  ///   - changes: what else changes in the same transaction.
  func add(
    _ card: NewCard, formerKeys: [String]?,
    with changes: (SealedStore.Transaction) throws -> Void = { _ in }
  ) throws(WalletError) {
    try store.transaction(label: "card.stored") { transaction in
      let id = card.record.id
      var ids = try order(transaction)
      guard ids.contains(id) == (formerKeys != nil) else {
        throw WalletError(.cardRefused, "Another card was stored meanwhile; try again.")
      }
      if let formerKeys {
        try deleteSlots(of: id, transaction)
        try Self.change(Self.releasedKeys, transaction) { $0 += formerKeys }
      } else {
        guard ids.count < Self.maximumCount else {
          throw WalletError(.cardRefused, "The wallet holds as many cards as it can.")
        }
        // The PID is shown first.
        ids.insert(id, at: id == Self.pid ? 0 : ids.count)
        try save(ids, transaction)
      }
      try save(card.record, transaction)
      try transaction.setVault(card.content)
      for (copy, slot) in card.slots { try transaction.setSlot(copy, slot.stored()) }
      try Self.change(card.purpose.list, transaction) { $0.removeAll(where: card.keys.contains) }
      try changes(transaction)
    }
  }

  /// Stores a slot that was sealed anew.
  public func replace(_ slot: CardSlot, of copy: String) throws(WalletError) {
    try store.transaction(label: "card.slot") { transaction in
      guard try transaction.slot(copy) != nil else {
        throw WalletError(.cardUnknown, "There is no such copy of a card.")
      }
      try transaction.setSlot(copy, slot.stored())
    }
  }

  /// Changes the record of a card.
  ///
  /// - Throws: `cardUnknown`.
  public func update(
    _ id: String, _ change: (inout CardRecord) -> Void
  ) throws(WalletError) {
    try store.transaction(label: "card.changed") { transaction in
      var record = try known(id, transaction)
      let former = record
      change(&record)
      if record != former { try save(record, transaction) }
    }
  }

  /// Deletes a card with all its copies, also a damaged one. Its keys are then released.
  ///
  /// - Parameter keys: those of its content, as far as they are known.
  /// - Throws: `cardUnknown`.
  public func delete(_ id: String, keys: [String]) throws(WalletError) {
    try store.transaction(label: "card.deleted") { transaction in
      try requireListed(id, transaction)
      try deleteSlots(of: id, transaction)
      try save(order(transaction).filter { $0 != id }, transaction)
      try transaction.deleteAccount(Self.recordName(id))
      try transaction.deleteVault(Self.contentName(id))
      try Self.change(Self.releasedKeys, transaction) { $0 += keys }
    }
  }

  func known(_ id: String, _ reader: SealedStore.Reader) throws -> CardRecord {
    try requireListed(id, reader)
    return try record(id, reader)
  }

  private func requireListed(_ id: String, _ reader: SealedStore.Reader) throws {
    guard try order(reader).contains(id) else {
      throw WalletError(.cardUnknown, "There is no such card; wallet_core_cards() lists all cards.")
    }
  }

  func record(_ id: String, _ reader: SealedStore.Reader) throws -> CardRecord {
    guard let stored = try reader.account(Self.recordName(id), key: accountKey) else {
      throw Self.missing
    }
    return try stored.withBytes { try Self.record(id, $0) }
  }

  static func record(_ id: String, _ stored: UnsafeRawBufferPointer) throws -> CardRecord {
    let record = try stored.record(CardRecord.self)
    guard record.schema == 1, record.id == id else { throw missing }
    return record
  }

  func save(_ record: CardRecord, _ transaction: SealedStore.Transaction) throws {
    try transaction.setAccount(
      Self.recordName(record.id), Secret(encoding: record), key: accountKey)
  }

  private func save(_ ids: [String], _ transaction: SealedStore.Transaction) throws {
    try transaction.setAccount(Self.order, Secret(encoding: ids), key: accountKey)
  }

  /// Why a card in a state cannot be used.
  static func unusable(_ state: CardState) -> WalletError {
    switch state {
    case .expired: WalletError(.cardExpired, "The card has expired; obtain a new one.")
    case .keyLost:
      WalletError(.cardKeyLost, "The keys of this card are gone; obtain a new card.")
    default:
      WalletError(
        .cardRefused, "The card cannot be used.", data: ["state": .text(state.rawValue)])
    }
  }

  private static var missing: WalletError {
    WalletError(.storageCorrupt, "A stored card is missing.")
  }
}
