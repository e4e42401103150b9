/// What is sealed in a table of the store.
public enum SealedRowKind: String, CaseIterable, Sendable {
  case wallet, account, session, page, secret
}

/// How many rows of a kind a key seals.
public struct SealedRowCount: Sendable, Equatable {
  public var kind: SealedRowKind
  /// The id of the key, as the rows name it.
  public var sealingKey: String
  public var rows: Int

  public init(kind: SealedRowKind, sealingKey: String, rows: Int) {
    self.kind = kind
    self.sealingKey = sealingKey
    self.rows = rows
  }
}

/// A secret that the servers of a provider share through the store, sealed.
public struct StoredProviderSecret: Sendable, Equatable {
  /// What it is for; unique.
  public var name: String
  /// The id of the key that it is sealed with.
  public var sealingKey: String
  public var sealed: [UInt8]

  public init(name: String, sealingKey: String, sealed: [UInt8]) {
    self.name = name
    self.sealingKey = sealingKey
    self.sealed = sealed
  }
}

/// The rows by the key that seals them, for the rotation of sealing keys, and the provider's secrets.
///
/// Each list holds at most `limit` rows in the order of their ids, beginning after the id `after` or
/// at the first one, and locks them as a single read does.
public protocol SealedRowTransaction {
  /// How many rows of every kind each key seals; nothing for a key without rows.
  func sealedRowCounts() throws -> [SealedRowCount]

  func wallets(sealedWith key: String, after id: String?, limit: Int) throws -> [StoredWallet]
  func accounts(sealedWith key: String, after id: String?, limit: Int) throws -> [StoredAccount]
  /// Sessions whose record the key seals.
  func proofingSessions(
    sealedWith key: String, after id: String?, limit: Int
  ) throws -> [StoredProofingSession]
  /// Ordered by their hash.
  func enrolmentPages(
    sealedWith key: String, after hash: [UInt8]?, limit: Int
  ) throws -> [StoredEnrolmentPage]

  /// The secret of this name, or nil.
  func secret(name: String) throws -> StoredProviderSecret?
  /// All of them that the key seals; there are few.
  func secrets(sealedWith key: String) throws -> [StoredProviderSecret]
  /// Adds a secret; fails when there is one of this name.
  func insert(_ secret: StoredProviderSecret) throws
  /// Replaces the secret of this name; fails when it is gone.
  func update(_ secret: StoredProviderSecret) throws
}
