/// Takes all rows that a former key sealed or authenticated, and seals and authenticates them with
/// the current key. May run while servers run.
public struct Resealing: Sendable {
  /// The result of a run.
  public struct Report: Sendable, Equatable {
    /// The number of rows that now depend on the current key alone.
    public var resealed = 0
    /// The number of rows that do not open with the key they name, or that the provider did not
    /// write. They are left unchanged.
    public var unreadable = 0
  }

  private let sealing: SealingKeyRing
  private let store: any ProviderStore

  public init(identity: ProviderIdentity, store: any ProviderStore) {
    sealing = identity.keys.sealing
    self.store = store
  }

  /// The number of rows that depend on each key.
  public func counts() async throws -> [SealedRowCount] {
    try await store.transaction { try $0.sealedRowCounts() }
  }

  /// Processes all rows that depend on a former key of the ring.
  ///
  /// - Parameter batch: the number of rows per transaction. They stay locked until it ends.
  public func run(batch: Int = 100) async throws -> Report {
    var report = Report()
    for key in sealing.others.map(\.id) {
      for kind in StoredTable.allCases.map(\.rowType) {
        guard let kind = kind as? any SealedRow.Type else { continue }
        try await reseal(kind, dependingOn: key, batch: batch, &report)
      }
    }
    return report
  }

  /// Reads the rows in batches, one transaction each, and seals them again.
  private func reseal<Row: SealedRow>(
    _: Row.Type, dependingOn key: String, batch: Int, _ report: inout Report
  ) async throws {
    var last: StoredValue?
    repeat {
      let page = try await store.transaction { [last, sealing] rows in
        var page = (resealed: 0, unreadable: 0, last: StoredValue?.none)
        for found in try rows.rows(Row.self, dependingOn: key, after: last, limit: batch) {
          page.last = found.key
          guard let resealed = try? found.row.get().resealed(by: sealing) else {
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
