import GRDB
import WalletEvaluator
import WalletSQLite

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension SQLiteEvaluatorStore {
  /// The number of wallets in the database at `path`, which is not changed; nil if there is none, or it
  /// has no tables yet.
  ///
  /// - Throws: `EvaluatorFailure` if the file is not such a database.
  public static func walletCount(path: String) throws -> Int? {
    guard FileManager.default.fileExists(atPath: path) else { return nil }
    return try EvaluatorFailure.translated(doing: "open \(path)") {
      let queue = try DatabaseQueue(path: path, configuration: .inspection(of: path))
      defer { try? queue.close() }
      return try queue.read { database in
        guard try database.tableExists("evaluated_wallet") else { return nil }
        return try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM evaluated_wallet")
      }
    }
  }
}
