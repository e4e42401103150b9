public import WalletCrypto
public import WalletModel
internal import WalletProtocol
public import WalletStorage

/// The history of what the owner did with cards, sealed under the vault key.
public struct ActivityStore {
  /// The number that is kept of those in which data was or may have been shared, and of those in which
  /// nothing was. At each bound the oldest one of its kind leaves, so no number of refused requests
  /// pushes out what was shared.
  public static let maximumShares = 1000
  public static let maximumRefusals = 200
  private static let prefix = "activity."

  private let store: SealedStore

  public init(store: SealedStore) { self.store = store }

  /// The ids of all activities, the oldest first.
  private static func ids(_ reader: SealedStore.Reader) throws -> [UInt64] {
    try reader.vaultNames().compactMap { name in
      name.hasPrefix(prefix) ? UInt64(name.dropFirst(prefix.count)) : nil
    }
  }

  /// The name by which an activity is stored. Names sort as numbers do.
  private static func name(_ id: UInt64) -> String {
    let digits = String(id)
    return prefix + String(repeating: "0", count: max(0, 20 - digits.count)) + digits
  }

  /// The id of the next activity.
  public func nextID() throws(WalletError) -> UInt64 {
    try store.read { reader in
      let (next, overflow) = (try Self.ids(reader).last ?? 0).addingReportingOverflow(1)
      guard !overflow else { throw WalletError(.storageCorrupt, "The history is damaged.") }
      return next
    }
  }

  /// All activities, sealed, the newest first; nil for one that is damaged.
  public func all() throws(WalletError) -> [SealedVaultValue?] {
    try store.read { reader in
      try reader.sealedVault(Self.ids(reader).reversed().map(Self.name))
    }
  }

  /// An activity that was sealed with each of the results that it may come to have. So the result
  /// can be stored when it is known, whether the wallet is locked by then or not.
  public struct Prepared: Sendable {
    fileprivate let sealed: [Activity.Result: SealedVaultValue]
    /// The ids of those that leave for it.
    fileprivate let leaving: [Activity.Result: [UInt64]]

    /// - Parameter others: all that are stored. Which of them leave is decided here, because only their
    ///   sealed content says what came of them.
    public init(
      _ activity: Activity, results: [Activity.Result], among others: [Activity], key: Secret
    ) throws(WalletError) {
      var leaving: [Activity.Result: [UInt64]] = [:]
      for result in results {
        let alike = others.filter {
          $0.result.wasShared == result.wasShared && $0.id != activity.id
        }
        leaving[result] = alike.map(\.id).sorted(by: >).dropFirst(result.maximumCount - 1).map {
          $0
        }
      }
      self.leaving = leaving
      var sealed: [Activity.Result: SealedVaultValue] = [:]
      for result in results {
        var activity = activity
        activity.result = result
        sealed[result] = try ActivityStore.seal(activity, key: key)
      }
      self.sealed = sealed
    }

    /// Stores it with a result, inside a transaction.
    public func store(
      _ result: Activity.Result, _ transaction: SealedStore.Transaction
    ) throws {
      guard let value = sealed[result] else {
        throw WalletError(.internalDefect, "An activity was not prepared for this result.")
      }
      for old in leaving[result] ?? [] { try transaction.deleteVault(ActivityStore.name(old)) }
      try transaction.setVault(value)
    }
  }

  /// Stores an activity with a result.
  public func store(
    _ prepared: Prepared, _ result: Activity.Result
  ) throws(WalletError) {
    try store.transaction(label: "activity.stored") { try prepared.store(result, $0) }
  }

  /// The form in which an activity is stored.
  fileprivate struct Record: Codable {
    var schema = 1
    var id: UInt64
    var kind: Activity.Kind
    var result: Activity.Result
    var at: Int64
    var party: SharingRequest.Party
    var registrations: [SharingRequest.Registration]
    var items: [Activity.Item]
  }

  private static func seal(
    _ activity: Activity, key: Secret
  ) throws(WalletError) -> SealedVaultValue {
    let secret: Secret
    do {
      var text = try WireJSON.encode(
        Record(
          id: activity.id, kind: activity.kind, result: activity.result, at: activity.at,
          party: activity.party, registrations: activity.registrations, items: activity.items))
      defer { text.withUnsafeMutableBytes { Memory.wipe($0) } }
      secret = try Secret(copying: text)
    } catch { throw WalletError(.outOfResources, "Not enough guarded memory for the history.") }
    return try SealedVaultValue(sealing: secret, name: name(activity.id), key: key)
  }
}

extension Activity {
  /// Reads a stored activity.
  ///
  /// - Throws: `storageCorrupt`.
  public init(stored: UnsafeRawBufferPointer) throws(WalletError) {
    guard let record = try? WireJSON.decode(ActivityStore.Record.self, from: Array(stored))
    else { throw WalletError(.storageCorrupt, "A stored activity is unreadable.") }
    self.init(
      id: record.id, kind: record.kind, result: record.result, at: record.at, party: record.party,
      registrations: record.registrations, items: record.items)
  }
}

extension Activity.Result {
  /// Whether the relying party has data, or may have.
  fileprivate var wasShared: Bool {
    switch self {
    case .shared, .mayHaveBeenShared: true
    case .stopped, .failed: false
    }
  }

  /// How many of its kind are kept.
  fileprivate var maximumCount: Int {
    wasShared ? ActivityStore.maximumShares : ActivityStore.maximumRefusals
  }
}
