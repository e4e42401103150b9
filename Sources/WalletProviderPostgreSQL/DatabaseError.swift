import CPostgreSQL
import WalletProvider

/// Why statements did not do what they should.
enum DatabaseError: Error {
  /// The server refused a statement; the transaction is undone.
  case refused(state: String, message: String)
  /// There is no connection, and was none.
  case unreachable(message: String)
  /// The connection is gone or the server does not answer.
  case lost(message: String)
  /// A row to change is not there.
  case rowIsGone

  /// Whether the same transaction may go well when it is run anew: serialization failure, deadlock,
  /// a key that somebody else inserted at the same moment.
  var isTransient: Bool {
    if case .refused(let state, _) = self {
      ["40001", "40P01", "23505"].contains(state)
    } else {
      false
    }
  }

  /// The SQLSTATE of an error that ends the connection too: shut down, not yet up, ended for idling.
  static func endsConnection(_ state: String) -> Bool {
    state.hasPrefix("57P") || state.hasPrefix("08") || state == "25P03"
  }

  func failure(doing action: String) -> StoreFailure {
    switch self {
    case .refused(let state, let words):
      StoreFailure("PostgreSQL could not \(action): \(state) \(words)")
    case .unreachable(let words): StoreFailure("cannot connect to PostgreSQL: \(words)")
    case .lost(let words):
      StoreFailure("the connection to PostgreSQL was lost, could not \(action): \(words)")
    case .rowIsGone: StoreFailure("a row to change is gone")
    }
  }
}

/// The words of libpq on one line.
func oneLine(_ message: UnsafePointer<CChar>?) -> String {
  guard let message else { return "" }
  return String(cString: message).split(whereSeparator: \.isNewline).joined(separator: "; ")
}
