/// The columns of one row as read by a store. The store may contain foreign data, so a column that
/// is missing or has another type is a `StoreFailure` and never a trap.
public protocol ColumnReader {
  func optionalText(_ column: String) throws -> String?
  func optionalInteger(_ column: String) throws -> Int64?
  func optionalBytes(_ column: String) throws -> [UInt8]?
  func flag(_ column: String) throws -> Bool
}

extension ColumnReader {
  public func text(_ column: String) throws -> String {
    try required(optionalText(column), column)
  }

  public func integer(_ column: String) throws -> Int64 {
    try required(optionalInteger(column), column)
  }

  public func bytes(_ column: String) throws -> [UInt8] {
    try required(optionalBytes(column), column)
  }

  /// A count, not negative.
  public func count(_ column: String) throws -> Int {
    try required(Int32(exactly: integer(column)).flatMap { $0 < 0 ? nil : Int($0) }, column)
  }

  /// Milliseconds since 1970, possibly negative, no further away than the year 9999, so that later
  /// additions and subtractions cannot overflow.
  public func optionalTime(_ column: String) throws -> Int64? {
    guard let time = try optionalInteger(column) else { return nil }
    guard (-latestTime...latestTime).contains(time) else { throw StoreFailure.unreadable(column) }
    return time
  }

  public func time(_ column: String) throws -> Int64 { try required(optionalTime(column), column) }

  private func required<Value>(_ value: Value?, _ column: String) throws -> Value {
    guard let value else { throw StoreFailure.unreadable(column) }
    return value
  }
}

private let latestTime = RFC3339.range.upperBound * 1000 + 999

extension StoreFailure {
  public static func unreadable(_ column: String) -> StoreFailure {
    StoreFailure("the column \(column) does not hold what it must")
  }
}
