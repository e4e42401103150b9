public import WalletModel
internal import WalletCrypto
internal import WalletStorage

extension Account {
  /// Whether there is a PID. Sealed under the account key, so that a thief of the storage does not
  /// learn it and the wallet knows it while locked.
  public func hasPID() throws(WalletError) -> Bool {
    try store.read { try $0.account(AccountRecords.hasPID, key: accountKey) }?.disclosed() == [1]
  }

  /// Notes that there is a PID.
  public func noteHasPID() throws(WalletError) {
    try store.transaction(label: "pid.noted") { transaction in
      try transaction.setAccount(AccountRecords.hasPID, Secret(copying: [1]), key: accountKey)
    }
  }
}
