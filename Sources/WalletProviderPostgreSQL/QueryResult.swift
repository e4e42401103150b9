import CPostgreSQL
import WalletProvider

/// The server's result of one statement. Its memory belongs to libpq and is freed with this object.
final class QueryResult {
  private let result: OpaquePointer

  /// Takes over `result`.
  init(taking result: OpaquePointer) { self.result = result }

  deinit { PQclear(result) }

  var status: ExecStatusType { PQresultStatus(result) }

  var count: Int { Int(PQntuples(result)) }

  /// The command that the server reports, such as COMMIT.
  var command: String { String(cString: PQcmdStatus(result)) }

  var first: PostgreSQLRow? { count > 0 ? PostgreSQLRow(rows: self, index: 0) : nil }

  var all: [PostgreSQLRow] { (0..<count).map { PostgreSQLRow(rows: self, index: Int32($0)) } }

  /// The bytes of a column of type `type` in binary form; nil for NULL.
  fileprivate func bytes(_ index: Int32, _ column: String, type: Oid) throws -> [UInt8]? {
    let number = PQfnumber(result, column)
    guard number >= 0, PQftype(result, number) == type else {
      throw StoreFailure.unreadable(column)
    }
    guard PQgetisnull(result, index, number) == 0 else { return nil }
    guard let start = PQgetvalue(result, index, number) else { return nil }
    let length = Int(PQgetlength(result, index, number))
    return Array(UnsafeRawBufferPointer(start: start, count: length))
  }
}

/// One row. The type of each value is checked against the type that the code expects.
struct PostgreSQLRow: ColumnReader {
  let rows: QueryResult
  let index: Int32

  func optionalText(_ column: String) throws -> String? {
    guard let bytes = try rows.bytes(index, column, type: ValueType.text) else { return nil }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw StoreFailure.unreadable(column)
    }
    return text
  }

  func optionalInteger(_ column: String) throws -> Int64? {
    guard let bytes = try rows.bytes(index, column, type: ValueType.integer) else { return nil }
    guard bytes.count == 8 else { throw StoreFailure.unreadable(column) }
    return Int64(bitPattern: bytes.reduce(0) { $0 << 8 | UInt64($1) })
  }

  func optionalBytes(_ column: String) throws -> [UInt8]? {
    try rows.bytes(index, column, type: ValueType.bytes)
  }

  func flag(_ column: String) throws -> Bool {
    guard let byte = try rows.bytes(index, column, type: ValueType.flag)?.first else {
      throw StoreFailure.unreadable(column)
    }
    return byte != 0
  }
}

/// The types used in the tables, by their fixed numbers in pg_type.
private enum ValueType {
  static let flag: Oid = 16
  static let bytes: Oid = 17
  static let integer: Oid = 20
  static let text: Oid = 25
}
