/// Seals again with the current key what former keys sealed. May run while servers run.
public struct Resealing: Sendable {
  /// The result of a run.
  public struct Report: Sendable, Equatable {
    /// The number of rows now sealed with the current key.
    public var resealed = 0
    /// The number of rows that do not open with the key they name. They are left unchanged.
    public var unreadable = 0
  }

  private let sealing: SealingKeyRing
  private let store: any ProviderStore

  public init(identity: ProviderIdentity, store: any ProviderStore) {
    sealing = identity.keys.sealing
    self.store = store
  }

  /// The number of rows sealed with each key.
  public func counts() async throws -> [SealedRowCount] {
    try await store.transaction { try $0.sealedRowCounts() }
  }

  /// Processes all rows that a former key of the ring sealed.
  ///
  /// - Parameter batch: the number of rows per transaction. They stay locked for its duration.
  public func run(batch: Int = 100) async throws -> Report {
    var report = Report()
    // Before any row is resealed: an older store derives its hashes from the key that sealed its
    // rows.
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

  /// Reads the rows in batches, one transaction each, and seals them again.
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
