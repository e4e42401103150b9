/// A value as stores keep it. It is bound to a statement's parameter and never part of the SQL
/// text.
public enum StoredValue: Sendable, Equatable {
  case null
  case integer(Int64)
  case text(String)
  case bytes([UInt8])
  case flag(Bool)

  /// The text; empty if it is something else.
  var text: String {
    if case .text(let text) = self { return text }
    return ""
  }

  public static func optional(_ integer: Int64?) -> StoredValue {
    integer.map { .integer($0) } ?? .null
  }

  public static func optional(_ text: String?) -> StoredValue { text.map { .text($0) } ?? .null }

  public static func optional(_ bytes: [UInt8]?) -> StoredValue {
    bytes.map { .bytes($0) } ?? .null
  }
}
