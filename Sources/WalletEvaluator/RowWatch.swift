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
    /// The number of the record that this process has last read or written.
    var number: UInt64 = 0
  }

  private let known = Mutex(Known())

  package init() {}

  /// What is known of a row.
  func entry(_ id: String) -> Entry? { known.withLock { $0.rows[id] } }

  /// Whether a record with this number may follow what the process knows.
  func mayFollow(_ number: UInt64) -> Bool { known.withLock { number >= $0.number } }

  /// Whether the record with this number is the last one that this process has read or written.
  func isLast(_ number: UInt64) -> Bool { known.withLock { $0.number == number } }

  /// Forgets everything and takes these rows.
  func begin(_ rows: [(id: String, version: Int64)], number: UInt64) {
    let entries = Dictionary(rows.map { ($0.id, Entry.at($0.version)) }) { first, _ in first }
    known.withLock { $0 = Known(rows: entries, number: number) }
  }

  /// Takes over what a committed transaction has found and changed. A nil entry is forgotten.
  func took(_ entries: [String: Entry?], number: UInt64) {
    known.withLock {
      for (id, entry) in entries { $0.rows[id] = entry }
      $0.number = number
    }
  }
}
