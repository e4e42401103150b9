/// The id of the evaluator that has the other half of the wallets' PIN keys. It is stored with the
/// first start, so that no server uses another evaluator with the same wallets: with its keys every
/// PIN would be wrong.
///
/// It is no secret, but sealed like one, so that only the provider can write it.
struct EvaluatorName {
  let sealing: SealingKeyRing
  let rows: any ProviderTransaction

  private static let row = "evaluator"

  /// Stores the id if there is none.
  ///
  /// - Throws: `StoreFailure` if the stored id is another one.
  func prepare(_ id: String) throws {
    guard try check(id) == false else { return }
    try rows.insert(try sealing.seal(secret: Array(id.utf8), name: Self.row))
  }

  /// Returns whether an id is stored.
  ///
  /// - Throws: `StoreFailure` if the stored id is another one.
  func check(_ id: String) throws -> Bool {
    guard let stored = try rows.secret(name: Self.row) else { return false }
    let known = String(decoding: try sealing.open(stored), as: UTF8.self)
    guard known == id else {
      throw StoreFailure(
        """
        this provider's wallets have their other half at evaluator \(known); this process has \
        \(id): restore its directory, or name it by evaluator-url
        """)
    }
    return true
  }
}

extension ProviderIdentity {
  /// Refuses an evaluator that is not the one of the store's wallets.
  ///
  /// - Throws: `StoreFailure`.
  public func checkEvaluator(_ id: String, of store: any ProviderStore) async throws {
    try await store.transaction { [sealing = keys.sealing] rows in
      _ = try EvaluatorName(sealing: sealing, rows: rows).check(id)
    }
  }
}
