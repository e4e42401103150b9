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
  private static let order = "cards"
  /// Keyring, plain: identifiers of keys that were prepared for copies that do not exist yet.
  static let preparedKeys = "card.prepared-keys"
  /// Keyring, plain: identifiers of keys of deleted cards, until the platform has deleted them.
  static let releasedKeys = "card.released-keys"
  /// The maximum number of cards.
  public static let maximumCount = 1000

  private static func recordName(_ id: String) -> String { "card." + id }
  static func contentName(_ id: String) -> String { "card." + id }

  public init(store: SealedStore, accountKey: Secret) {
    self.store = store
    self.accountKey = accountKey
  }

  /// The records of all cards, in the order in which they are shown.
  ///
  /// - Throws: `storageCorrupt` if one is missing.
  public func records() throws(WalletError) -> [CardRecord] {
    try store.read { reader in try order(reader).map { try record($0, reader) } }
  }

  /// The record of a card.
  ///
  /// - Throws: `cardUnknown`.
  public func record(of id: String) throws(WalletError) -> CardRecord {
    try store.read { try known(id, $0) }
  }

  /// The content of a card, sealed.
  ///
  /// - Throws: `cardUnknown`.
  public func content(of id: String) throws(WalletError) -> SealedVaultValue {
    try store.read { reader in
      _ = try known(id, reader)
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

  /// Stores a card with all its copies. Its keys are no longer prepared ones.
  func add(
    _ record: CardRecord, content: SealedVaultValue, slots: [String: CardSlot],
    boundTo keys: [String]
  ) throws(WalletError) {
    try store.transaction(label: "card.stored") { transaction in
      var ids = try order(transaction)
      guard !ids.contains(record.id), ids.count < Self.maximumCount else {
        throw WalletError(.cardRefused, "The wallet holds as many cards as it can.")
      }
      ids.append(record.id)
      try save(ids, transaction)
      try save(record, transaction)
      try transaction.setVault(content)
      for (copy, slot) in slots { try transaction.setSlot(copy, slot.stored()) }
      try Self.change(Self.preparedKeys, transaction) { $0.removeAll(where: keys.contains) }
    }
  }

  /// Counts a use of the copy that is to be used next, and returns the copy. The count is on disk
  /// when this returns, so that a copy whose use was interrupted counts as seen by a verifier.
  ///
  /// - Parameter now: seconds since 1970.
  /// - Throws: `cardUnknown`; `cardExpired`, `cardKeyLost` or `cardRefused` if no copy is usable.
  public func countUse(of id: String, at now: Int64) throws(WalletError) -> CardRecord.Copy {
    try store.transaction(label: "card.used") { transaction in
      var record = try known(id, transaction)
      guard let copy = record.nextCopy(at: now) else {
        throw Self.unusable(record.state(at: now))
      }
      try record.countUse(of: copy.id, at: now)
      try save(record, transaction)
      return copy
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

  /// Deletes a card with all its copies. Its keys are then released.
  ///
  /// - Parameter keys: those of its content.
  /// - Throws: `cardUnknown`.
  public func delete(_ id: String, keys: [String]) throws(WalletError) {
    try store.transaction(label: "card.deleted") { transaction in
      let record = try known(id, transaction)
      try save(order(transaction).filter { $0 != id }, transaction)
      try transaction.deleteAccount(Self.recordName(id))
      try transaction.deleteVault(Self.contentName(id))
      for copy in record.copies { try transaction.deleteSlot(copy.id) }
      try Self.change(Self.releasedKeys, transaction) { $0 += keys }
    }
  }

  private func known(_ id: String, _ reader: SealedStore.Reader) throws -> CardRecord {
    guard try order(reader).contains(id) else {
      throw WalletError(.cardUnknown, "There is no such card; wallet_core_cards() lists all cards.")
    }
    return try record(id, reader)
  }

  private func record(_ id: String, _ reader: SealedStore.Reader) throws -> CardRecord {
    guard let stored = try reader.account(Self.recordName(id), key: accountKey) else {
      throw Self.missing
    }
    let record = try stored.record(CardRecord.self)
    guard record.schema == 1, record.id == id else { throw Self.missing }
    return record
  }

  private func save(_ record: CardRecord, _ transaction: SealedStore.Transaction) throws {
    try transaction.setAccount(
      Self.recordName(record.id), Secret(encoding: record), key: accountKey)
  }

  private func order(_ reader: SealedStore.Reader) throws -> [String] {
    try reader.account(Self.order, key: accountKey)?.record([String].self) ?? []
  }

  private func save(_ ids: [String], _ transaction: SealedStore.Transaction) throws {
    try transaction.setAccount(Self.order, Secret(encoding: ids), key: accountKey)
  }

  /// Why a card in a state cannot be used.
  private static func unusable(_ state: CardState) -> WalletError {
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
    WalletError(.storageCorrupt, "A stored card is missing; wipe to start over.")
  }
}
