public import WalletModel
internal import WalletCrypto
internal import WalletProtocol
internal import WalletStorage

// With the next right PIN the owner is told of all wrong ones, whoever entered them. The provider
// says how many there were since the registration, and the wallet keeps how many it has told. So a
// lost answer loses none.
extension Account {
  /// The wrong PINs that the owner has not been told of; nil if there are none.
  ///
  /// - Parameter known: What the provider says; nil if there was never a wrong PIN.
  func untold(_ known: FailedAttempts?) throws(WalletError) -> PinFailures? {
    let told = try store.read { try AccountRecords.toldFailures($0, key: accountKey) }
    let total = known?.count ?? 0
    // A provider that was restored from a backup knows of fewer, so the count of the told ones is
    // lowered to its number. A full storage must not make the right PIN fail.
    if total < told { try? setTold(total) }
    guard let known, total > told else { return nil }
    return PinFailures(
      count: total - told, lastAt: known.lastAt, total: total, wallet: try walletID() ?? "")
  }

  /// Notes that the owner was told of `failures`, unless another wallet has taken the place of theirs
  /// or a later answer has told of more.
  public func noteTold(_ failures: PinFailures) throws(WalletError) {
    let told = try store.read { try AccountRecords.toldFailures($0, key: accountKey) }
    guard told < failures.total, try walletID() == failures.wallet else { return }
    try setTold(failures.total)
  }

  private func setTold(_ total: UInt64) throws(WalletError) {
    try store.transaction(label: "pin-failures.told") { transaction in
      try AccountRecords.setToldFailures(total, transaction, key: accountKey)
    }
  }
}
