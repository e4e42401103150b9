extension Judging {
  /// Writes an account that was read; what is sealed of it is under the current key from now on.
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
