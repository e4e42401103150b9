/// The id of the evaluator that has the other half of the wallets' PIN keys. It is stored with the
/// first start, so that no server uses another evaluator with the same wallets: with its keys every
/// PIN would be wrong.
///
/// It is no secret, but sealed like one, so that only the provider can write it.
struct EvaluatorName {
  let sealing: SealingKeyRing
  let rows: any ProviderTransaction

  static let row = "evaluator"

  /// Stores the id if there is none.
  ///
  /// - Throws: `StoreFailure` if the stored id is another one.
  func prepare(_ id: String) throws {
    guard try check(id) == false else { return }
    try rows.insert(try sealing.seal(secret: Array(id.utf8), name: Self.row))
  }

  /// Returns whether an id is stored.
  ///
  /// - Parameter id: nil if this process has no evaluator yet.
  /// - Throws: `StoreFailure` if the stored id is another one.
  func check(_ id: String?) throws -> Bool {
    guard let stored = try rows.secret(name: Self.row) else { return false }
    let known = String(decoding: try sealing.open(stored), as: UTF8.self)
    guard known == id else {
      throw StoreFailure(Self.refusal(known, id))
    }
    return true
  }

  private static func refusal(_ known: String, _ id: String?) -> String {
    """
    this provider's wallets have their other half at evaluator \(known); this process has \
    \(id ?? "none"): restore its directory, or run it with wallet-provider evaluate and name it to every \
    server by evaluator-url
    """
  }

  /// Why a server with the evaluator `id` would not start on rows that were only read; nil if it
  /// would.
  static func problem(
    _ stored: StoredProviderSecret, _ id: String?, _ sealing: SealingKeyRing
  ) -> String? {
    guard let opened = try? sealing.open(stored) else { return nil }
    let known = String(decoding: opened, as: UTF8.self)
    return known == id ? nil : refusal(known, id)
  }
}

extension StoreInspection {
  /// Reads which evaluator the rows name.
  public mutating func readEvaluator(_ rows: some RowPages) throws {
    // There are a few secrets only.
    let secrets = try rows.page(StoredProviderSecret.self, after: nil, limit: 100)
    evaluator = secrets.lazy.compactMap { try? $0.row.get() }
      .first { $0.name == EvaluatorName.row }
  }

  /// Why a server with the evaluator `id` would not start; nil if it would.
  ///
  /// - Parameter id: nil if there is none yet.
  public func problem(ofEvaluator id: String?, _ identity: ProviderIdentity) -> String? {
    evaluator.flatMap { EvaluatorName.problem($0, id, identity.keys.sealing) }
  }
}

extension ProviderIdentity {
  /// Refuses an evaluator that is not the one of the store's wallets.
  ///
  /// - Parameter id: nil if this process has no evaluator yet.
  /// - Throws: `StoreFailure`.
  public func checkEvaluator(_ id: String?, of store: any ProviderStore) async throws {
    try await store.transaction { [sealing = keys.sealing] rows in
      _ = try EvaluatorName(sealing: sealing, rows: rows).check(id)
    }
  }

  /// Makes an evaluator that of the store's wallets, if they have none.
  ///
  /// - Throws: `StoreFailure` if they have another.
  public func nameEvaluator(_ id: String, in store: any ProviderStore) async throws {
    try await store.transaction { [sealing = keys.sealing] rows in
      try EvaluatorName(sealing: sealing, rows: rows).prepare(id)
    }
  }
}
