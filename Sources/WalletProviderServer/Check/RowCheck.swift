import WalletProvider

/// Reports rows that the provider did not write.
enum RowCheck {
  static func findings(_ rows: RowSearch) -> [Finding] {
    let extent = rows.isComplete ? "all \(rows.searched) rows" : "the first \(rows.searched) rows"
    guard rows.count > 0 else {
      return [Finding(.ok, "rows", "\(extent) are as the provider wrote them")]
    }
    let named = rows.found.map { "\($0.table.rawValue) \($0.row)" }.joined(separator: ", ")
    let rest = rows.count > rows.found.count ? " and others" : ""
    return [
      Finding(
        .wrong, "rows",
        "\(rows.count) of \(extent) are not as the provider wrote them: \(named)\(rest)")
    ]
  }
}
