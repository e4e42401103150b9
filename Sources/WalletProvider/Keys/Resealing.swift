/// Seals with the current key what former keys sealed, also while servers run.
public struct Resealing: Sendable {
  /// What was found and done.
  public struct Report: Sendable, Equatable {
    /// Rows that are sealed with the current key now.
    public var resealed = 0
    /// Rows that do not open under the key that they name; they were left as they are.
    public var unreadable = 0
  }

  private let sealing: SealingKeyRing
  private let store: any ProviderStore

  public init(identity: ProviderIdentity, store: any ProviderStore) {
    sealing = identity.keys.sealing
    self.store = store
  }

  /// How many rows each key seals.
  public func counts() async throws -> [SealedRowCount] {
    try await store.transaction { try $0.sealedRowCounts() }
  }

  /// Goes through all rows that a former key of the ring seals.
  ///
  /// - Parameter batch: how many rows a transaction holds; it keeps others from them as long.
  public func run(batch: Int = 100) async throws -> Report {
    var report = Report()
    // From the rows as they are: a store of before has its hashes from the key that sealed them.
    try await store.transaction { [sealing] rows in
      try KeyedHashes(sealing: sealing, rows: rows).prepare()
    }
    let kinds: [any SealedRow.Type] = [
      StoredWallet.self, StoredAccount.self, StoredProofingSession.self, StoredEnrolmentPage.self,
      StoredProviderSecret.self,
    ]
    for key in sealing.others.map(\.id) {
      for kind in kinds { try await reseal(kind, sealedWith: key, batch: batch, &report) }
    }
    return report
  }

  /// Reads page after page, each in a transaction, and seals its rows anew.
  private func reseal<Row: SealedRow>(
    _: Row.Type, sealedWith key: String, batch: Int, _ report: inout Report
  ) async throws {
    var last: StoredValue?
    repeat {
      let page = try await store.transaction { [last, sealing] rows in
        var page = (resealed: 0, unreadable: 0, last: StoredValue?.none)
        for row in try rows.rows(Row.self, sealedWith: key, after: last, limit: batch) {
          page.last = row.key
          guard let resealed = try? row.resealed(by: sealing) else {
            page.unreadable += 1
            continue
          }
          try rows.update(resealed)
          page.resealed += 1
        }
        return page
      }
      report.resealed += page.resealed
      report.unreadable += page.unreadable
      last = page.last
    } while last != nil
  }
}
