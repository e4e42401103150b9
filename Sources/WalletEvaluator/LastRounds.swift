import WalletProtocol
import WalletSignatures

/// How many attempts the wallets have made that are in their last round, by id; 0 for one that is
/// blocked for good. A row that is put back begins in the last round, and it must not begin there
/// again and again.
///
/// They are kept for every such wallet, also for one that is deleted, so they are not in the record,
/// which each change of a row writes. They are in files of their own, of which a change of a count
/// writes one.
package struct LastRounds: Sendable, Equatable {
  /// The number of files.
  package static let fileCount = 256

  private var counts: [[String: Int]]

  init() { counts = Array(repeating: [:], count: Self.fileCount) }

  /// What was found in the files.
  package struct Reading {
    var rounds = LastRounds()
    /// Those of which nothing is left. They count as empty.
    var damaged: Set<Int> = []
    /// Those that a former key has sealed, which may be removed.
    var stale: Set<Int> = []
  }

  /// Reads all files.
  ///
  /// - Throws: `EvaluatorFailure` for one that is whole and cannot be opened: its key may come back, and
  ///   until then nobody may take it for empty.
  package static func read(
    _ content: (Int) throws -> [UInt8]?, keys: EvaluatorKeys
  ) throws -> Reading {
    var reading = Reading()
    for file in 0..<fileCount {
      guard let sealed = try content(file) else { continue }
      if sealed.isEmpty {
        reading.damaged.insert(file)
        continue
      }
      guard let opened = keys.opened(sealed, authenticating: purpose(file)),
        let counts = try? WireJSON.decode([String: Int].self, from: opened.content)
      else {
        throw EvaluatorFailure(
          "the file \(name(of: file)) of last-rounds was not written with the keys that are here")
      }
      reading.rounds.counts[file] = counts
      if !opened.isByCurrent { reading.stale.insert(file) }
    }
    return reading
  }

  /// The name of a file: two hexadecimal digits.
  package static func name(of file: Int) -> String {
    (file < 16 ? "0" : "") + String(file, radix: 16)
  }

  /// The number of the file that has the count of this wallet.
  static func file(of id: String) -> Int { Int(Digest.sha256(id.utf8)[0]) }

  subscript(id: String) -> Int? {
    get { counts[Self.file(of: id)][id] }
    set { counts[Self.file(of: id)][id] = newValue }
  }

  /// Writes the files with these numbers.
  func write(_ numbers: Set<Int>, to file: any RowRecordFile, keys: EvaluatorKeys) throws {
    for number in numbers.sorted() {
      let content = try WireJSON.encode(counts[number])
      try file.writeLastRounds(
        try keys.seal(content, authenticating: Self.purpose(number)), number)
    }
  }

  /// So that no file passes for another one.
  private static func purpose(_ file: Int) -> [UInt8] {
    Array("wallet-evaluator last rounds \(file)".utf8)
  }
}
