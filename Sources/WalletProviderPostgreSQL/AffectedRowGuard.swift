/// Makes a change fail in the server if it affects no row, so that it can be sent together with a
/// commit that must then not happen.
enum AffectedRowGuard {
  /// division_by_zero.
  static let stateWhenGone = "22012"

  static func changing(_ sql: String) -> String {
    "WITH changed AS (\(sql) RETURNING 1) SELECT 1 / count(*) FROM changed"
  }
}
