import WalletSignatures

extension StatusTransaction {
  /// Revokes the entries of an owner, in the transaction of the reason. What is revoked stays so
  /// from the same time on.
  ///
  /// Each entry has a random time of its own within one `timeToLive`, so that successive lists do
  /// not show which entries belong to one batch.
  ///
  /// - Parameters:
  ///   - issuance: an issuance whose entries stay, because it supersedes the others.
  ///   - random: a random number below its argument; `SecureRandom` if nil.
  /// - Returns: how many entries were revoked now.
  @discardableResult
  package func revokeStatusEntries(
    of owner: StatusOwner, except issuance: String? = nil, settings: StatusListSettings,
    now: Int64, random: ((Int64) -> Int64)? = nil
  ) throws -> Int {
    let random = random ?? { SecureRandom.number(below: $0) }
    var count = 0
    for var entry in try validStatusEntries(of: owner, at: now)
    where entry.issuance != issuance {
      entry.revokedAt = now + random(settings.timeToLive)
      try update(entry)
      count += 1
    }
    return count
  }
}

extension ProviderTransaction {
  /// Deletes a wallet and revokes its PIDs.
  func endWallet(id: String, settings: StatusListSettings, now: Int64) throws {
    // First the wallet, because that locks its accounts, and they are locked before entries.
    try deleteWallet(id: id)
    try revokeStatusEntries(of: .wallet(id), settings: settings, now: now)
  }
}
