import WalletProvider

let statements = StatementsByTable(mark: "?")
