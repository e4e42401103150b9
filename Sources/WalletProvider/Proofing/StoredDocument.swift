/// A document that an account was proofed with.
public struct StoredDocument: Sendable, Equatable {
  /// Keyed hash of the document and its holder; unique.
  public var digest: [UInt8]
  /// The account that was proofed with it.
  public var account: String

  public init(digest: [UInt8], account: String) {
    self.digest = digest
    self.account = account
  }
}

/// A claim of a wallet that was refused, which counts against its limit.
public struct StoredRefusedClaim: Sendable, Equatable {
  /// Random.
  public var id: String
  public var wallet: String
  /// Milliseconds since 1970.
  public var refusedAt: Int64

  public init(id: String, wallet: String, refusedAt: Int64) {
    self.id = id
    self.wallet = wallet
    self.refusedAt = refusedAt
  }
}

extension StoredDocument: StoredRow {
  public static let table = StoredTable.document

  public init(columns: some ColumnReader) throws {
    self.init(digest: try columns.bytes("digest"), account: try columns.text("account"))
  }

  public func values() -> [StoredValue] { [.text(account)] }

  public var key: StoredValue { .bytes(digest) }
}

extension StoredRefusedClaim: StoredRow {
  public static let table = StoredTable.refusedClaim

  public init(columns: some ColumnReader) throws {
    self.init(
      id: try columns.text("id"), wallet: try columns.text("wallet"),
      refusedAt: try columns.time("refused_at"))
  }

  public func values() -> [StoredValue] { [.text(wallet), .integer(refusedAt)] }

  public var key: StoredValue { .text(id) }
}
