import WalletProvider

let statements = StatementsByTable(mark: "$", changing: RowCheck.changing)
