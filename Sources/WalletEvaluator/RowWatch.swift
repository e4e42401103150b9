import Synchronization

/// The versions of rows that this process knows.
package final class RowWatch: Sendable {
  enum Entry: Equatable {
    case at(Int64)
    /// Deleted; no version of the row was higher.
    case deleted(last: Int64)
  }

  private struct Known {
    var rows: [String: Entry] = [:]
    var lastRounds = LastRounds()
    /// Whether what was found when the rows were compared with the record is on disk. Until then
    /// they must be compared again.
    var isCompared = false
    /// The number of the record that this process has last read or written.
    var number: UInt64 = 0
    /// The record that this process has last written and committed, and the content of its file.
    var written: (record: RowRecord, content: [UInt8])?
  }

  private let known = Mutex(Known())

  package init() {}

  /// What is known of a row.
  func entry(_ id: String) -> Entry? { known.withLock { $0.rows[id] } }

  /// The count of a wallet in its last round.
  func lastRound(_ id: String) -> Int? { known.withLock { $0.lastRounds[id] } }

  /// All of these.
  var lastRounds: LastRounds { known.withLock { $0.lastRounds } }

  /// Whether a record with this number may follow what the process knows.
  func mayFollow(_ number: UInt64) -> Bool { known.withLock { number >= $0.number } }

  /// Whether the record with this number is the last one that this process has read or written, and its
  /// rows are known.
  func isLast(_ number: UInt64) -> Bool {
    known.withLock { $0.isCompared && $0.number == number }
  }

  /// The record with this content, if this process has written it; nil otherwise.
  func record(_ content: [UInt8]) -> RowRecord? {
    known.withLock { $0.written?.content == content ? $0.written?.record : nil }
  }

  /// The number of the record that this process has last read or written.
  var number: UInt64 { known.withLock { $0.number } }

  /// Forgets everything but the number, which never falls, and takes these rows and counts.
  func begin(
    _ rows: [(id: String, version: Int64)], _ lastRounds: LastRounds, number: UInt64
  ) {
    let entries = Dictionary(rows.map { ($0.id, Entry.at($0.version)) }) { first, _ in first }
    known.withLock { known in
      known = Known(rows: entries, lastRounds: lastRounds, number: max(known.number, number))
    }
  }

  /// Takes over what a committed transaction has found and changed. A nil entry or count is forgotten.
  ///
  /// - Parameter written: the record that it wrote, and the content of its file; nil if it wrote none.
  func took(
    _ entries: [String: Entry?], counts: [String: Int?], number: UInt64,
    written: (record: RowRecord, content: [UInt8])?
  ) {
    known.withLock {
      if let written { $0.written = written }
      for (id, entry) in entries { $0.rows[id] = entry }
      for (id, count) in counts { $0.lastRounds[id] = count }
      $0.number = number
      $0.isCompared = true
    }
  }
}
