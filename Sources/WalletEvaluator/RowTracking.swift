/// Compares the rows that a transaction reads with the record and with what the process knows, and
/// notes the changes that the transaction makes.
///
/// The caller holds the lock of the record's file.
package struct RowTracking {
  package typealias Row = (id: String, version: Int64)

  private let keys: EvaluatorKeys
  private let watch: RowWatch
  private var record: RowRecord
  private var entries: [String: RowWatch.Entry?] = [:]
  private var isChanged = false
  private let former: [UInt8]?
  package private(set) var findings: [EvaluatorFinding] = []

  /// How many rows that are behind are kept apart. With more, every wallet begins in its last
  /// round.
  private static let mostBehind = 100
  /// How many wallets in their last round the record has. More are not noted.
  private static let mostLastRounds = 1000

  package var generation: String { record.generation }

  /// Begins a transaction.
  ///
  /// - Parameters:
  ///   - content: of the record's file; nil if there is none.
  ///   - isFirst: whether the process compares all rows with the record.
  ///   - version: returns the version of a row; nil if there is no such row.
  ///   - rows: returns all rows.
  package init(
    keys: EvaluatorKeys, watch: RowWatch, content: [UInt8]?, isFirst: Bool,
    version: (String) throws -> Int64?, rows: () throws -> [Row]
  ) throws {
    self.keys = keys
    self.watch = watch
    former = content
    let known = content.flatMap { RowRecord(sealed: $0, keys: keys) }
    if let known, watch.mayFollow(known.number) {
      record = known
      watch.read(known.number)
      try compareChanges(version)
      guard isFirst else { return }
      let all = try rows()
      watch.begin(all, number: known.number)
      if !record.describes(all) { replace(all, number: known.number) }
    } else {
      let all = try rows()
      record = RowRecord(number: known?.number ?? 0, rows: all)
      watch.begin(all, number: record.number)
      isChanged = true
      if content != nil || !all.isEmpty { findings.append(.databaseReplaced) }
    }
  }

  private mutating func replace(_ rows: [Row], number: UInt64) {
    let lastRounds = record.lastRounds
    record = RowRecord(number: number, rows: rows)
    record.lastRounds = lastRounds
    isChanged = true
    // A single row that is behind is a part of the same finding.
    findings = [.databaseReplaced]
  }

  /// Compares the rows that the last transaction has changed. If the machine stopped between the
  /// record and the commit, they are older than the record says.
  private mutating func compareChanges(_ version: (String) throws -> Int64?) rethrows {
    for change in record.changes {
      let present = try version(change.id)
      guard present != (change.isDeleted ? nil : change.version) else { continue }
      isChanged = true
      if !change.isDeleted { record.toggle(change.id, change.version) }
      guard let present else {
        // A row that was never inserted leaves nothing to count.
        if change.version > 1 { findings.append(.walletBehind) }
        entries[change.id] = .some(.deleted(last: change.version))
        continue
      }
      record.toggle(change.id, present)
      setBehind(change.id, present: present, last: change.version)
    }
    record.changes = []
  }

  private mutating func setBehind(_ id: String, present: Int64, last: Int64) {
    isChanged = true
    record.behind[id] = max(present, last)
    entries[id] = .some(.at(present))
    if findings.isEmpty { findings.append(.walletBehind) }
    if record.behind.count > Self.mostBehind {
      record.behind = [:]
      record.generation = RowRecord(number: 0, rows: []).generation
      findings = [.databaseReplaced]
    }
  }

  /// Whether a row that was read is the newest one with its id, as far as can be known.
  package mutating func isNewest(_ row: Row) -> Bool {
    if record.behind[row.id] != nil { return false }
    if case .some(.some(.at(row.version))) = entries[row.id] { return true }
    switch watch.entry(row.id) {
    case (.at(row.version), _): return true
    case (.at(let known), let isAlone):
      if known < row.version, !isAlone { break }
      record.toggle(row.id, known)
      record.toggle(row.id, row.version)
      setBehind(row.id, present: row.version, last: known)
      return false
    case (.deleted(let last), _):
      record.toggle(row.id, row.version)
      setBehind(row.id, present: row.version, last: last)
      return false
    case (nil, true):
      record.toggle(row.id, row.version)
      setBehind(row.id, present: row.version, last: row.version)
      return false
    case (nil, false): break
    }
    // Another process has written it.
    entries[row.id] = .some(.at(row.version))
    return true
  }

  package mutating func insert(_ row: Row) {
    record.toggle(row.id, row.version)
    note(RowChange(id: row.id, version: row.version, isDeleted: false))
  }

  /// How far the wallet with this id came in a last round that no right PIN has ended; nil if it
  /// was in none.
  package func lastRound(_ id: String) -> LastRound? { record.lastRounds[id] }

  /// Notes how far a wallet is in its last round.
  ///
  /// - Parameter hasBegun: whether it begins it now.
  package mutating func noteLastRound(of wallet: EvaluatedWallet, hasBegun: Bool) {
    let isNoted = record.lastRounds[wallet.id] != nil
    guard isNoted || hasBegun && record.lastRounds.count < Self.mostLastRounds else { return }
    let last = LastRound(wallet.attempts)
    record.lastRounds[wallet.id] = last.attempts > 0 || last.isBlocked ? last : nil
  }

  /// Returns the version that the row gets by an update.
  package mutating func update(_ row: Row) -> Int64 {
    _ = isNewest(row)
    let next = max(row.version, record.behind.removeValue(forKey: row.id) ?? 0) + 1
    record.toggle(row.id, row.version)
    record.toggle(row.id, next)
    note(RowChange(id: row.id, version: next, isDeleted: false))
    return next
  }

  /// - Parameter isUseless: whether nothing could be done with the row if it were put back.
  package mutating func delete(_ row: Row, isUseless: Bool) {
    _ = isNewest(row)
    let last = max(row.version, record.behind.removeValue(forKey: row.id) ?? 0) + 1
    record.toggle(row.id, row.version)
    note(RowChange(id: row.id, version: last, isDeleted: true))
    if isUseless { entries[row.id] = .some(nil) }
  }

  private mutating func note(_ change: RowChange) {
    isChanged = true
    record.changes.append(change)
    entries[change.id] =
      .some(change.isDeleted ? .deleted(last: change.version) : .at(change.version))
  }

  /// Writes the record if it has changed. Must be called right before the commit.
  package mutating func write(to file: any RowRecordFile) throws {
    guard isChanged else { return }
    record.number += 1
    try file.write(try record.sealed(by: keys))
  }

  /// Writes back the former record after a commit that failed, so that no wallet is taken for one
  /// whose row was put back. If this fails too, the wallet begins in its last round.
  package func undo(in file: any RowRecordFile) {
    guard isChanged, let former else { return }
    try? file.write(former)
  }

  /// Must be called after the commit.
  package func committed() { watch.took(entries, number: record.number) }
}
