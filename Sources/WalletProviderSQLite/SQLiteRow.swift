import GRDB
import WalletProvider

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A row of GRDB, read with a check of each value's type. GRDB's own subscripts would end the
/// process if a value had another type. The row is valid until its cursor advances.
struct SQLiteRow: ColumnReader {
  let row: Row

  func optionalText(_ column: String) throws -> String? {
    switch try storage(column) {
    case .null: return nil
    case .string(let text): return text
    default: throw StoreFailure.unreadable(column)
    }
  }

  func optionalInteger(_ column: String) throws -> Int64? {
    switch try storage(column) {
    case .null: return nil
    case .int64(let number): return number
    default: throw StoreFailure.unreadable(column)
    }
  }

  func optionalBytes(_ column: String) throws -> [UInt8]? {
    switch try storage(column) {
    case .null: return nil
    case .blob(let data): return Array(data)
    default: throw StoreFailure.unreadable(column)
    }
  }

  func flag(_ column: String) throws -> Bool { try integer(column) != 0 }

  private func storage(_ column: String) throws -> DatabaseValue.Storage {
    guard row.hasColumn(column) else { throw StoreFailure.unreadable(column) }
    let value: DatabaseValue = row[column]
    return value.storage
  }
}
