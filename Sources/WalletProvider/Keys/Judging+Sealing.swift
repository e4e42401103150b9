extension Judging {
  /// Writes a row that was read; what is sealed in it is under the current key from now on.
  func save(_ wallet: StoredWallet) throws {
    try rows.update(try identity.keys.sealing.resealed(wallet))
  }

  /// The same of an account.
  func save(_ account: StoredAccount) throws {
    try rows.update(try identity.keys.sealing.resealed(account))
  }

  /// The same of a session.
  func save(_ session: StoredProofingSession) throws {
    try rows.update(try identity.keys.sealing.resealed(session))
  }

  /// The keyed hashes of this provider.
  var hashes: KeyedHashes { KeyedHashes(sealing: identity.keys.sealing, rows: rows) }
}
