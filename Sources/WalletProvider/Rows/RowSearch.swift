/// Reads any table in pages, without locks, so that no transaction takes long.
public protocol RowPages {
  /// At most `limit` rows, ordered by the bytes of their keys. One that cannot be read hides no
  /// other.
  ///
  /// - Parameter last: the key of the row to start after; nil starts with the first row.
  func page<Row: StoredRow>(
    _: Row.Type, after last: StoredValue?, limit: Int
  ) throws -> [FoundRow<Row>]
}

/// The rows of a store that the provider did not write, or that were changed afterwards.
public struct RowSearch: Sendable, Equatable {
  /// The number of rows that were read.
  public private(set) var searched = 0
  /// The number of rows that are not the provider's.
  public private(set) var count = 0
  /// The first of these.
  public private(set) var found: [UnauthenticRow] = []
  /// Whether every row of every table was read.
  public private(set) var isComplete = true

  /// The maximum number of rows of each table that are read, which takes a few seconds.
  public static let longest = 200_000
  /// The number of rows that are named.
  private static let named = 10
  private static let page = 500

  /// Reads all tables.
  ///
  /// - Parameter limit: the maximum number of rows of each table.
  public init(_ rows: some RowPages, limit: Int = longest) throws {
    for type in StoredTable.allCases.map(\.rowType) { try search(type, rows, limit: limit) }
  }

  private mutating func search<Row: StoredRow>(
    _: Row.Type, _ rows: some RowPages, limit: Int
  ) throws {
    var last: StoredValue?
    var left = limit
    while left > 0 {
      let page = try rows.page(Row.self, after: last, limit: min(left, Self.page))
      for unauthentic in page.compactMap(\.unauthentic) {
        count += 1
        if found.count < Self.named { found.append(unauthentic) }
      }
      searched += page.count
      left -= page.count
      guard page.count == Self.page else { return }
      last = page.last?.key
    }
    isComplete = false
  }
}
