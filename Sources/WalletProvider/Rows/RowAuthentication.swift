import Crypto
public import WalletProtocol

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Authenticates rows under keys that are not in the database. If anybody but the provider has
/// written, changed or moved a row, this is detected when the row is read.
///
/// The code of a row (HMAC-SHA256) covers the table and the name and value of every column,
/// including the key column. So a row does not pass for another row, nor a value for that of
/// another column. The code does not show that this is the row's latest version, or that no row is
/// missing.
public struct RowAuthentication: Sendable, RedactedDescription {
  /// The column with the id of the key that a row is authenticated with.
  public static let keyColumn = "authentication_key"
  /// The column with the code of a row.
  public static let codeColumn = "authentication"

  /// For a store whose rows are neither read nor written.
  public static let none = RowAuthentication(keys: [])

  private struct Key {
    let id: String
    let secret: SymmetricKey
  }

  /// The current key first.
  private let keys: [Key]

  private init(keys: [Key]) { self.keys = keys }

  /// Derives the keys from the sealing keys. The first one authenticates; all of them verify.
  package init(_ sealing: [any SealingKey]) throws {
    keys = try sealing.map { key in
      let secret = try key.derivedSecret(purpose: "wallet-provider row authentication")
      return Key(id: key.id, secret: SymmetricKey(data: secret))
    }
  }

  /// The values of all columns of a row, in the order of `StoredTable.storedColumns`.
  ///
  /// - Throws: `StoreFailure` for a value that does not fit its column, or if there is no key.
  public func values<Row: StoredRow>(of row: Row) throws -> [StoredValue] {
    guard let key = keys.first else { throw StoreFailure.noRowKeys }
    let (values, rowKey) = (try row.values(), row.key)
    let content = try Self.content(of: Row.table, values + [rowKey])
    let code = HMAC<SHA256>.authenticationCode(for: content, using: key.secret)
    return values + [.text(key.id), .bytes(Array(code)), rowKey]
  }

  /// Throws unless the provider wrote the row, and it has the values that were asked for.
  ///
  /// - Parameters:
  ///   - keyID: the id in the row's column `keyColumn`.
  ///   - code: the row's code.
  ///   - known: the columns by which the row was looked up, with their values. So a database that
  ///     answers with another row of the provider is detected too.
  func check<Row: StoredRow>(
    _ row: Row, keyID: String, code: [UInt8], having known: KeyValuePairs<String, StoredValue>
  ) throws {
    guard !keys.isEmpty else { throw StoreFailure.noRowKeys }
    let values = try row.values() + [row.key]
    let content = try Self.content(of: Row.table, values)
    guard let key = keys.first(where: { $0.id == keyID }) else {
      throw StoreFailure(
        unauthentic: UnauthenticRow(Row.table, key: row.key, lacksKey: true),
        "is authenticated with the key \(keyID.prefix(16)), which is not here")
    }
    guard
      HMAC<SHA256>.isValidAuthenticationCode(code, authenticating: content, using: key.secret)
    else {
      throw StoreFailure(
        unauthentic: UnauthenticRow(Row.table, key: row.key), "is not as the provider wrote it")
    }
    let columns = Row.table.columns
    for (column, value) in known {
      guard let index = columns.firstIndex(of: column), values[index] == value else {
        throw StoreFailure(
          unauthentic: UnauthenticRow(Row.table, key: row.key), "is not the row that was looked up")
      }
    }
  }

  // MARK: The authenticated content

  /// The columns of each table ordered by name, so that the content does not depend on the order in
  /// which a version of the program lists them.
  private static let order: [StoredTable: [(index: Int, name: [UInt8])]] = {
    var order: [StoredTable: [(index: Int, name: [UInt8])]] = [:]
    for table in StoredTable.allCases {
      order[table] = table.columns.enumerated().sorted { $0.element < $1.element }
        .map { (index: $0.offset, name: Array($0.element.utf8)) }
    }
    return order
  }()

  /// The bytes that a code covers. Each part is preceded by its length, and each value by its type.
  /// NULL is left out, so that a column that a later version adds does not change the content of
  /// rows that lack a value for it.
  private static func content(
    of table: StoredTable, _ values: [StoredValue]
  ) throws(StoreFailure) -> [UInt8] {
    guard let order = Self.order[table], order.count == values.count else {
      throw StoreFailure("the values of a row do not fit its table")
    }
    var content: [UInt8] = []
    content.reserveCapacity(1024)
    content.append(part: "wallet-provider row 1".utf8)
    content.append(part: table.rawValue.utf8)
    for column in order {
      let value = values[column.index]
      if value == .null { continue }
      content.append(part: column.name)
      switch value {
      case .null: break
      case .integer(let number):
        content.append(1)
        content.append(part: withUnsafeBytes(of: number.bigEndian) { Array($0) })
      case .text(let text):
        content.append(2)
        content.append(part: text.utf8)
      case .bytes(let bytes):
        content.append(3)
        content.append(part: bytes)
      case .flag(let flag):
        content.append(4)
        content.append(part: CollectionOfOne(flag ? 1 : 0))
      }
    }
    return content
  }
}

extension [UInt8] {
  fileprivate mutating func append(part: some Collection<UInt8>) {
    Swift.withUnsafeBytes(of: UInt64(part.count).bigEndian) { append(contentsOf: $0) }
    append(contentsOf: part)
  }
}

extension StoreFailure {
  fileprivate static let noRowKeys = StoreFailure("the store was opened without keys for its rows")
}
