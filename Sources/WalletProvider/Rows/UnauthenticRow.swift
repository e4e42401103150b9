import WalletSignatures
import WalletProtocol

/// A row that the provider did not write, or that was changed afterwards. Contains nothing personal.
public struct UnauthenticRow: Sendable, Equatable {
  public let table: StoredTable
  /// Tells the row apart in a log: the first 9 bytes of the SHA-256 of its key column, as
  /// base64url.
  public let row: String
  /// Whether this provider lacks the key that the row names, so that the row could not be checked.
  public let lacksKey: Bool

  init(_ table: StoredTable, key: StoredValue, lacksKey: Bool = false) {
    self.lacksKey = lacksKey
    let bytes: [UInt8]
    switch key {
    case .text(let text): bytes = Array(text.utf8)
    case .bytes(let content): bytes = content
    // No table has such a key.
    case .null, .integer, .flag: bytes = []
    }
    self.table = table
    row = Base64URL.encode(Digest.sha256(bytes).prefix(9))
  }
}

extension StoreFailure {
  /// The refusal of a database that an earlier program made, whose PINs no evaluator knows.
  ///
  /// - Parameter database: names the database.
  public static func tooOld(_ database: String, version: Int) -> StoreFailure {
    StoreFailure(
      "\(database) has tables of version \(version), which an earlier wallet-provider made. No"
        + " evaluator knows the PINs of their wallets, so they are not taken over: start anew with a"
        + " new database, in which wallets and accounts are made anew")
  }

  /// - Parameter message: what is wrong with the row.
  init(unauthentic row: UnauthenticRow, _ message: String) {
    self.init("the row \(row.row) \(message)", unauthenticRow: row)
  }
}

/// A row as it was found, which may be unreadable or not the provider's.
public struct FoundRow<Row: StoredRow>: Sendable {
  /// The value of the key column.
  public let key: StoredValue
  /// A failure is always one of this row, not of the database.
  public let row: Result<Row, StoreFailure>

  /// - Throws: `StoreFailure` if even the key cannot be read.
  public init(_ columns: some ColumnReader, _ authentication: RowAuthentication) throws {
    let column = Row.table.key
    key =
      if let text = try? columns.text(column) { .text(text) } else {
        .bytes(try columns.bytes(column))
      }
    do {
      row = .success(try Row.read(columns, authentication))
    } catch let failure as StoreFailure { row = .failure(failure) }
  }

  /// The key as an operator may see it. Whoever writes the database chooses the key of a row that
  /// cannot be read, and a terminal obeys control characters. So a key that is no id is shown as
  /// what tells the row apart in the log.
  var shownKey: String {
    InstructionRequest.isID(key.text) ? key.text : "row:" + UnauthenticRow(Row.table, key: key).row
  }

  /// The row, if the provider did not write it or it cannot be read; nil if its key is missing.
  var unauthentic: UnauthenticRow? {
    guard case .failure(let failure) = row, failure.unauthenticRow?.lacksKey != true else {
      return nil
    }
    return UnauthenticRow(Row.table, key: key)
  }
}
