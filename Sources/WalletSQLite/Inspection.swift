#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
public import GRDB

extension Configuration {
  /// For a connection that reads the database at `path` and leaves nothing behind.
  ///
  /// If there is a write-ahead log, a writable connection would copy it into the database. If there
  /// is none, a read-only connection would create a log and its index and leave them behind; a
  /// writable one removes them again.
  public static func inspection(of path: String) -> Configuration {
    var configuration = Configuration()
    configuration.readonly = FileManager.default.fileExists(atPath: path + "-wal")
    configuration.prepareDatabase { try $0.execute(sql: "PRAGMA query_only = ON") }
    configuration.busyMode = .timeout(10)
    return configuration
  }
}
