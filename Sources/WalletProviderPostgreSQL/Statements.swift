import WalletProvider

let statements = StatementsByTable(mark: "$", changing: AffectedRowGuard.changing)
