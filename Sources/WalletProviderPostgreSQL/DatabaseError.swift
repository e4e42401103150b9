import CPostgreSQL
import WalletProvider

/// Why statements failed.
enum DatabaseError: Error {
  /// The server refused a statement; the transaction is rolled back.
  case refused(state: String, message: String)
  /// A connection could not be established.
  case unreachable(message: String)
  /// The connection was lost, or the server does not respond.
  case lost(message: String)
  /// A row to change does not exist.
  case rowIsGone

  /// Whether repeating the transaction may succeed: serialization failure, deadlock, or a key that
  /// another transaction inserted at the same moment.
  var isTransient: Bool {
    if case .refused(let state, _) = self {
      ["40001", "40P01", "23505"].contains(state)
    } else {
      false
    }
  }

  /// Whether an error with this SQLSTATE also ends the connection: the server is shutting down or
  /// still starting, the connection failed, or the server closed it because a transaction was idle.
  static func endsConnection(_ state: String) -> Bool {
    state.hasPrefix("57P") || state.hasPrefix("08") || state == "25P03"
  }

  func failure(doing action: String) -> StoreFailure {
    switch self {
    case .refused(let state, let message):
      StoreFailure("PostgreSQL could not \(action): \(state) \(message)")
    case .unreachable(let message): StoreFailure("cannot connect to PostgreSQL: \(message)")
    case .lost(let message):
      StoreFailure("the connection to PostgreSQL was lost, could not \(action): \(message)")
    case .rowIsGone: StoreFailure("a row to change is gone")
    }
  }
}

/// A message of libpq on one line.
func oneLine(_ message: UnsafePointer<CChar>?) -> String {
  guard let message else { return "" }
  return String(cString: message).split(whereSeparator: \.isNewline).joined(separator: "; ")
}
