/// A row that depends on sealing keys: one authenticates the row and, if the row has sealed values,
/// one seals them.
protocol SealedRow: StoredRow {
  /// Returns the row with its sealed values sealed by the current key of the ring, or the unchanged
  /// row if no former key of the ring sealed it. A row that is written is authenticated with the
  /// current key in any case.
  ///
  /// - Throws: `StoreFailure` if a value does not open, because it was changed or moved.
  func resealed(by sealing: SealingKeyRing) throws -> Self
}

/// A row without sealed values.
protocol UnsealedRow: SealedRow {}

extension UnsealedRow {
  func resealed(by _: SealingKeyRing) -> Self { self }
}

extension StoredChallenge: UnsealedRow {}
extension StoredEnrolmentCode: UnsealedRow {}
extension StoredDocument: UnsealedRow {}
extension StoredRefusedClaim: UnsealedRow {}
extension StoredStatusList: UnsealedRow {}
extension StoredStatusEntry: UnsealedRow {}
