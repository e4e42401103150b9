/// A row with values that are sealed with the key it names.
protocol SealedRow: StoredRow {
  /// Returns the row with its sealed values sealed by the current key of the ring, or the unchanged
  /// row if no former key of the ring sealed it.
  ///
  /// - Throws: `StoreFailure` if a value does not open, because it was changed or moved.
  func resealed(by sealing: SealingKeyRing) throws -> Self
}
