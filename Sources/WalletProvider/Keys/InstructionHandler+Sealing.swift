extension InstructionHandler {
  /// Writes a row that was read; what is sealed of it is under the current key from now on.
  func save(_ row: some SealedRow) throws {
    try rows.update(row.resealed(by: identity.keys.sealing))
  }

  /// The keyed hashes of this provider.
  var hashes: KeyedHashes { KeyedHashes(sealing: identity.keys.sealing, rows: rows) }
}
