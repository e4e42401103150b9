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
    for key in sealing.others.map(\.id) {
      try await each(&report) { rows, after in
        try rows.wallets(sealedWith: key, after: after, limit: batch)
      } place: {
        $0.id
      } seal: {
        try sealing.resealed($0)
      } update: {
        try $0.update($1)
      }
      try await each(&report) { rows, after in
        try rows.accounts(sealedWith: key, after: after, limit: batch)
      } place: {
        $0.id
      } seal: {
        try sealing.resealed($0)
      } update: {
        try $0.update($1)
      }
      try await each(&report) { rows, after in
        try rows.proofingSessions(sealedWith: key, after: after, limit: batch)
      } place: {
        $0.id
      } seal: {
        try sealing.resealed($0)
      } update: {
        try $0.update($1)
      }
      try await each(&report) { rows, after in
        try rows.enrolmentPages(sealedWith: key, after: after, limit: batch)
      } place: {
        $0.hash
      } seal: {
        try sealing.resealed($0)
      } update: {
        try $0.update($1)
      }
      // They all come at once.
      try await each(&report) { rows, after in
        after == nil ? try rows.secrets(sealedWith: key) : []
      } place: {
        $0.name
      } seal: {
        try sealing.resealed($0)
      } update: {
        try $0.update($1)
      }
    }
    return report
  }

  /// Reads page after page, each in a transaction, and seals its rows anew.
  private func each<Row: Sendable, Place: Sendable>(
    _ report: inout Report,
    page: @escaping @Sendable (any ProviderTransaction, Place?) throws -> [Row],
    place: @escaping @Sendable (Row) -> Place,
    seal: @escaping @Sendable (Row) throws -> Row,
    update: @escaping @Sendable (any ProviderTransaction, Row) throws -> Void
  ) async throws {
    var last: Place?
    repeat {
      let done = try await store.transaction { [last] rows in
        var done = (resealed: 0, unreadable: 0, last: Place?.none)
        for row in try page(rows, last) {
          done.last = place(row)
          guard let sealed = try? seal(row) else {
            done.unreadable += 1
            continue
          }
          try update(rows, sealed)
          done.resealed += 1
        }
        return done
      }
      report.resealed += done.resealed
      report.unreadable += done.unreadable
      last = done.last
    } while last != nil
  }
}
