import Crypto
import WalletProtocol
import WalletSignatures

/// What the evaluator knows of its rows outside of the database, so that somebody who writes to the
/// database cannot put back an older row with fewer attempts unnoticed.
///
/// It is sealed and kept in a small file, which is written before each commit. Whoever restores an
/// older database together with the older file of the same moment is not detected: nothing else
/// remembers what came later.
package struct RowRecord: Codable, Equatable, Sendable {
  /// Random, and the same in all rows that were written since the last time that the database was
  /// found to be another one. Rows of another generation are not trusted to be the newest.
  package internal(set) var generation: String
  /// The key of the marks, for this generation.
  @StoredBytes private var markKey: [UInt8]
  /// The marks of all rows, combined by exclusive or. A plain sum of versions would not do: a
  /// deleted row that is put back could make up for another one that is older.
  @StoredBytes private var marks: [UInt8]
  /// The rows that are changed by the transaction that the record was written for.
  package internal(set) var changes: [RowChange] = []
  /// The rows that are older than they should be and were not used since, by id, with the highest
  /// version that they may have had.
  package internal(set) var behind: [String: Int64] = [:]
  /// What an earlier version kept here; see `LastRounds`.
  package internal(set) var lastRound: [String: Int] = [:]
  /// The number of times that the record was written.
  package internal(set) var number: UInt64

  /// The record of rows that are as they should be.
  init(number: UInt64, rows: some Sequence<(id: String, version: Int64)>) {
    generation = SecureRandom.identifier()
    markKey = SecureRandom.bytes(32)
    marks = [UInt8](repeating: 0, count: SHA256.byteCount)
    self.number = number
    for row in rows { toggle(row.id, row.version) }
  }

  /// Opens the content of the file; nil if the evaluator did not write it.
  init?(sealed: [UInt8], keys: EvaluatorKeys) {
    guard let content = keys.open(sealed, authenticating: Self.purpose),
      let record = try? WireJSON.decode(Self.self, from: content),
      record.marks.count == SHA256.byteCount
    else { return nil }
    self = record
  }

  /// The content of the file.
  func sealed(by keys: EvaluatorKeys) throws -> [UInt8] {
    try keys.seal(try WireJSON.encode(self), authenticating: Self.purpose)
  }

  private static let purpose = Array("wallet-evaluator record".utf8)

  /// Adds the mark of a row, or removes it if it is there.
  mutating func toggle(_ id: String, _ version: Int64) {
    // No id contains a line break.
    let mark = HMAC<SHA256>.authenticationCode(
      for: Array("\(id)\n\(version)".utf8), using: SymmetricKey(data: markKey))
    for (index, byte) in mark.enumerated() { marks[index] ^= byte }
  }

  /// Whether the record has the marks of these rows and of no others. The marks of a row that is there
  /// twice would cancel each other out.
  func describes(_ rows: some Sequence<(id: String, version: Int64)>) -> Bool {
    var (rest, ids) = (self, Set<String>())
    for row in rows {
      guard ids.insert(row.id).inserted else { return false }
      rest.toggle(row.id, row.version)
    }
    return rest.marks.allSatisfy { $0 == 0 }
  }
}

/// A change of one row.
package struct RowChange: Codable, Equatable, Sendable {
  package var id: String
  /// The version after the change. That of a deleted row is not used for anything else either.
  package var version: Int64
  package var isDeleted: Bool
  /// The row after the change, so that it can be made again if the machine stops before the commit.
  /// Nil if it is inserted or deleted.
  package var row: SealedWallet?
}

/// The files that hold the sealed `RowRecord` and `LastRounds`, beside the key and not in the database.
public protocol RowRecordFile: Sendable {
  /// Runs `body` while no other process or thread does so for the same file.
  func locked<Result>(_ body: () throws -> Result) throws -> Result
  /// The content; nil if there is no file.
  func read() throws -> [UInt8]?
  /// Replaces the content, which is on disk when this returns, or throws and leaves it unchanged.
  func write(_ content: [UInt8]) throws
  /// The content of a file of the last rounds; nil if there is none.
  ///
  /// - Parameter file: from 0 to `LastRounds.fileCount` - 1.
  func readLastRounds(_ file: Int) throws -> [UInt8]?
  /// Replaces it, as `write` does.
  func writeLastRounds(_ content: [UInt8], _ file: Int) throws
}

/// What the evaluator has found out about its database. None names a wallet.
public enum EvaluatorFinding: Sendable, Equatable, CustomStringConvertible {
  /// A row is older than the newest one that was written, and not by the last change: somebody put
  /// it back. Only this wallet begins in its last round.
  case walletBehind
  /// The rows are not those of the record, or there is no record: the database or the file was
  /// restored or changed. Every wallet begins in its last round when it is next used.
  case databaseReplaced

  public var description: String {
    switch self {
    case .walletBehind:
      "a wallet of the evaluator was older than its newest state, and begins in its last round"
    case .databaseReplaced:
      """
      the evaluator's database is not the one that its record describes; every wallet begins in \
      its last round
      """
    }
  }
}
