import WalletProvider

/// A row with arbitrary values.
struct Columns: ColumnReader {
  var values: [String: StoredValue]

  func optionalText(_ column: String) throws -> String? {
    switch values[column] {
    case .text(let text): text
    case .null: nil
    default: throw StoreFailure.unreadable(column)
    }
  }

  func optionalInteger(_ column: String) throws -> Int64? {
    switch values[column] {
    case .integer(let number): number
    case .null: nil
    default: throw StoreFailure.unreadable(column)
    }
  }

  func optionalBytes(_ column: String) throws -> [UInt8]? {
    switch values[column] {
    case .bytes(let bytes): bytes
    case .null: nil
    default: throw StoreFailure.unreadable(column)
    }
  }

  func flag(_ column: String) throws -> Bool {
    guard case .flag(let flag) = values[column] else { throw StoreFailure.unreadable(column) }
    return flag
  }
}
