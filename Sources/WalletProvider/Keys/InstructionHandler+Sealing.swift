extension InstructionHandler {
  /// Updates a row, and seals it with the current key if a former key sealed it.
  func save(_ row: some SealedRow) throws {
    try rows.update(row.resealed(by: identity.keys.sealing))
  }

  /// The keyed hashes of this provider.
  var hashes: KeyedHashes { KeyedHashes(sealing: identity.keys.sealing, rows: rows) }
}
