import WalletProvider

private let statements = TableStatements.all(mark: "$", changing: RowCheck.changing)

extension StoredTable {
  var statements: TableStatements {
    WalletProviderPostgreSQL.statements[self]
      ?? TableStatements(self, mark: "$", changing: RowCheck.changing)
  }
}
