import GRDB
import WalletProvider

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The statements of one table, made of its columns.
struct TableStatements: Sendable {
  /// Reads rows; a condition follows.
  let select: String
  /// Adds a row; its values stand in the order of the columns.
  let insert: String
  /// Replaces the row with the key; the values stand as for `insert`.
  let update: String

  private static let all = Dictionary(
    uniqueKeysWithValues: StoredTable.allCases.map { ($0, TableStatements($0)) })

  static func of(_ table: StoredTable) -> TableStatements { all[table] ?? TableStatements(table) }

  private init(_ table: StoredTable) {
    let (name, columns) = (table.rawValue, table.columns)
    let names = columns.joined(separator: ", ")
    let places = columns.map { _ in "?" }.joined(separator: ", ")
    let settings = columns.dropLast().map { "\($0) = ?" }.joined(separator: ", ")
    select = "SELECT \(names) FROM \(name)"
    insert = "INSERT INTO \(name) (\(names)) VALUES (\(places))"
    update = "UPDATE \(name) SET \(settings) WHERE \(table.key) = ?"
  }
}

extension StoredRow {
  func arguments() throws -> StatementArguments {
    StatementArguments((try values() + [key]).map(\.databaseValue))
  }
}

extension StoredValue {
  var databaseValue: DatabaseValue {
    switch self {
    case .null: .null
    case .integer(let number): number.databaseValue
    case .text(let text): text.databaseValue
    case .bytes(let bytes): Data(bytes).databaseValue
    case .flag(let flag): flag.databaseValue
    }
  }
}
