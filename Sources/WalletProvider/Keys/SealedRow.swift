/// A row of which something is sealed with the key that it names.
protocol SealedRow: StoredRow {
  /// The same row with what is sealed of it under the current key of the ring; as it is where no former
  /// key of the ring seals it.
  ///
  /// - Throws: `StoreFailure` when something does not open: it was changed or moved.
  func resealed(by sealing: SealingKeyRing) throws -> Self
}
