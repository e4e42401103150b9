import WalletAttempts
import WalletSignatures

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
  /// The counts of last rounds that the transaction has changed; nil for one that ended.
  private var counts: [String: Int?] = [:]
  /// The files of last rounds that have to be written anyway: those of a former key before the commit, and
  /// those that are damaged after it, so that the finding is on disk first.
  private var staleFiles: Set<Int> = []
  private var damagedFiles: Set<Int> = []
  private var isChanged = false
  private let former: [UInt8]?
  private var written: (record: RowRecord, content: [UInt8])?
  package private(set) var findings: [EvaluatorFinding] = []

  /// How many rows that are behind are kept apart. With more, every wallet begins in its last
  /// round.
  private static let mostBehind = 100

  package var generation: String { record.generation }

  /// Begins a transaction.
  ///
  /// - Parameters:
  ///   - content: of the record's file; nil if there is none.
  ///   - isFirst: whether the process compares all rows with the record.
  ///   - version: returns the version of a row; nil if there is no such row.
  ///   - redo: makes an update or a deletion of a row that is there.
  ///   - rows: returns all rows.
  ///   - lastRounds: returns the content of a file of the last rounds.
  package init(
    keys: EvaluatorKeys, watch: RowWatch, content: [UInt8]?, isFirst: Bool,
    version: (String) throws -> Int64?, redo: (RowChange) throws -> Void,
    rows: () throws -> [Row], lastRounds: (Int) throws -> [UInt8]?
  ) throws {
    self.keys = keys
    self.watch = watch
    former = content
    let known = content.flatMap { watch.record($0) ?? RowRecord(sealed: $0, keys: keys) }
    if let known, watch.mayFollow(known.number) {
      record = known
      // After a change by another process, nothing is known of any row.
      let isOurs = watch.isLast(known.number)
      try compareChanges(version, redo)
      guard isFirst || !isOurs else { return }
      let all = try rows()
      let reading = try LastRounds.read(lastRounds, keys: keys)
      watch.begin(all, reading.rounds, number: known.number)
      takeOver(reading, record.lastRound, isFirst: isFirst)
      if !reading.damaged.isEmpty || !record.describes(all) { replace(all, number: known.number) }
    } else {
      let all = try rows()
      record = RowRecord(number: max(known?.number ?? 0, watch.number), rows: all)
      let reading = try LastRounds.read(lastRounds, keys: keys)
      watch.begin(all, reading.rounds, number: record.number)
      takeOver(reading, known?.lastRound ?? [:], isFirst: isFirst)
      isChanged = true
      if content != nil || !all.isEmpty { findings.append(.databaseReplaced) }
    }
  }

  /// Moves what an earlier version kept in the record into the files, and writes those again that are
  /// damaged. A start also does so with those that a former key has sealed; processes that begin to use
  /// another key one after the other would otherwise write each other's files again and again.
  private mutating func takeOver(
    _ reading: LastRounds.Reading, _ kept: [String: Int], isFirst: Bool
  ) {
    staleFiles = isFirst ? reading.stale : []
    damagedFiles = reading.damaged
    for (id, count) in kept {
      let known = reading.rounds[id] ?? count
      counts[id] = .some(known == 0 || count == 0 ? 0 : max(known, count))
    }
    record.lastRound = [:]
    if !kept.isEmpty || !staleFiles.isEmpty { isChanged = true }
  }

  private mutating func replace(_ rows: [Row], number: UInt64) {
    record = RowRecord(number: number, rows: rows)
    isChanged = true
    // A single row that is behind is a part of the same finding.
    findings = [.databaseReplaced]
  }

  /// Compares the rows that the last transaction has changed. If the machine stopped between the
  /// record and the commit, they are older than the record says, and the change is made again.
  private mutating func compareChanges(
    _ version: (String) throws -> Int64?, _ redo: (RowChange) throws -> Void
  ) rethrows {
    var redone: [RowChange] = []
    for change in record.changes {
      let present = try version(change.id)
      guard present != (change.isDeleted ? nil : change.version) else { continue }
      // A record that is older than its row must not take the row back.
      if let present, present < change.version, change.isDeleted || change.row != nil {
        try redo(change)
        // Until this is committed, the record must still say it.
        redone.append(change)
        Self.note(change, in: &entries)
        continue
      }
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
    record.changes = redone
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
    case .at(row.version): return true
    case .at(let known):
      record.toggle(row.id, known)
      record.toggle(row.id, row.version)
      setBehind(row.id, present: row.version, last: known)
    case .deleted(let last):
      record.toggle(row.id, row.version)
      setBehind(row.id, present: row.version, last: last)
    case nil:
      record.toggle(row.id, row.version)
      setBehind(row.id, present: row.version, last: row.version)
    }
    return false
  }

  package mutating func insert(_ row: Row) {
    record.toggle(row.id, row.version)
    note(RowChange(id: row.id, version: row.version, isDeleted: false))
  }

  /// Returns the version that the row gets by an update.
  package mutating func update(_ row: Row) -> Int64 {
    _ = isNewest(row)
    let next = next(after: row)
    record.toggle(row.id, row.version)
    record.toggle(row.id, next)
    note(RowChange(id: row.id, version: next, isDeleted: false))
    return next
  }

  /// - Parameter isUseless: whether nothing could be done with the row if it were put back.
  package mutating func delete(_ row: Row, isUseless: Bool) {
    let isNewest = isNewest(row)
    let last = next(after: row)
    record.toggle(row.id, row.version)
    note(RowChange(id: row.id, version: last, isDeleted: true))
    // A row that may be put back must not begin its last round anew, nor be taken for another one.
    guard isUseless, isNewest else { return }
    entries[row.id] = .some(nil)
    if count(of: row.id) != nil { counts[row.id] = .some(nil) }
  }

  /// The version after that of a row, whatever somebody has written there. By a random step, so that
  /// a change which was not committed has another version than the one that comes in its place: its
  /// row may have been seen.
  private mutating func next(after row: Row) -> Int64 {
    let last = max(row.version, record.behind.removeValue(forKey: row.id) ?? 0)
    let step = 1 + SecureRandom.bytes(4).reduce(Int64(0)) { $0 << 8 | Int64($1) }
    let (next, overflows) = last.addingReportingOverflow(step)
    return overflows ? .max : next
  }

  private func count(of id: String) -> Int? { counts[id] ?? watch.lastRound(id) }

  /// Raises the count of a wallet to the one that was kept. Not for a row that is the newest one: its own
  /// count is right, and a process that was killed may have kept that of an attempt that it did not make.
  package func tighten(_ wallet: inout EvaluatedWallet) {
    guard let count = count(of: wallet.id) else { return }
    if count == 0 { wallet.attempts.blockedPermanently = true }
    wallet.attempts.wrongAttempts = max(wallet.attempts.wrongAttempts, count)
  }

  /// Keeps the count of a wallet that is in its last round, and forgets that of any other.
  package mutating func keepCount(of wallet: EvaluatedWallet, isInLastRound: Bool) {
    let attempts = wallet.attempts
    let count = attempts.blockedPermanently ? 0 : attempts.wrongAttempts
    let kept = isInLastRound ? count : nil
    guard self.count(of: wallet.id) != kept else { return }
    counts[wallet.id] = .some(kept)
    isChanged = true
  }

  /// Keeps the row of an update.
  package mutating func keep(_ row: SealedWallet) {
    guard let index = record.changes.lastIndex(where: { $0.id == row.id }) else { return }
    record.changes[index].row = row
  }

  private mutating func note(_ change: RowChange) {
    isChanged = true
    record.changes.removeAll { $0.id == change.id }
    record.changes.append(change)
    Self.note(change, in: &entries)
  }

  private static func note(_ change: RowChange, in entries: inout [String: RowWatch.Entry?]) {
    entries[change.id] =
      .some(change.isDeleted ? .deleted(last: change.version) : .at(change.version))
  }

  /// Writes the record if it has changed, and before it the counts that have risen. Must be called right
  /// before the commit.
  package mutating func write(to file: any RowRecordFile) throws {
    guard isChanged else { return }
    let risen = counts.compactMapValues(\.self)
    let files = staleFiles.union(risen.keys.map(LastRounds.file))
    if !files.isEmpty {
      var rounds = watch.lastRounds
      for (id, count) in risen { rounds[id] = count }
      try rounds.write(files, to: file, keys: keys)
    }
    record.number += 1
    let content = try record.sealed(by: keys)
    try file.write(content)
    written = (record, content)
  }

  /// Writes back the former record after a commit that failed, so that no wallet is taken for one
  /// whose row was put back. If this fails too, the wallet begins in its last round.
  package func undo(in file: any RowRecordFile) {
    guard isChanged, let former else { return }
    try? file.write(former)
  }

  /// Must be called after the commit. Only now the counts of last rounds that have ended are
  /// removed from their files: a process that is killed before leaves a count that is too high, never one
  /// that is too low.
  package func committed(in file: any RowRecordFile) {
    watch.took(entries, counts: counts, number: record.number, written: written)
    let ended = Set(counts.filter { $0.value == nil }.keys.map(LastRounds.file))
    let files = ended.union(damagedFiles)
    if !files.isEmpty { try? watch.lastRounds.write(files, to: file, keys: keys) }
  }
}
