import CSQLite
import Foundation
import Synchronization
import WalletProvider
import WalletProviderPostgreSQL
import WalletProviderSQLite
import XCTest

/// The kinds of store.
enum StoreKind: Sendable {
  case sqlite, postgreSQL
}

/// Test cases on one kind of store; a subclass runs them on another.
class StoreTestCase: XCTestCase {
  class var kind: StoreKind { .sqlite }
  /// The connections of each store to PostgreSQL, each of which is a process of the server.
  class var connections: Int { 2 }

  private static let latest = Mutex((kind: StoreKind.sqlite, connections: 2))

  /// The kind of the current test case; only one runs at a time.
  static var current: StoreKind {
    get { latest.withLock { $0.kind } }
    set { latest.withLock { $0.kind = newValue } }
  }

  /// The connections of the current test case.
  static var currentConnections: Int { latest.withLock { $0.connections } }

  override func setUpWithError() throws {
    let test = type(of: self)
    Self.latest.withLock { $0 = (test.kind, test.connections) }
  }

  override func tearDownWithError() throws {
    StoreTestCase.current = .sqlite
  }
}

/// The location of a test's rows; any number of stores can be opened on it.
enum StoreLocation: Sendable {
  case file(String)
  case database(DatabaseURL)

  /// A location for `directory`, for the kind of store of the current test case.
  init(_ directory: DataDirectory) throws {
    switch StoreTestCase.current {
    case .sqlite: self = .file(directory.databasePath)
    case .postgreSQL: self = .database(try PostgreSQLServer.shared().makeDatabase().url)
    }
  }

  func fakeClock() throws {
    guard case .database(let url) = self else { return }
    try TestDatabase(text: url.text).fakeClock()
  }

  /// All stored bytes.
  func dump() throws -> Data {
    switch self {
    case .file(let path):
      try ["", "-wal", "-shm"].map { path + $0 }
        .filter(FileManager.default.fileExists)
        .reduce(into: Data()) { $0 += try Data(contentsOf: URL(fileURLWithPath: $1)) }
    case .database(let url): Data(try TestDatabase(text: url.text).dump())
    }
  }

  /// Runs statements that bypass the store, as somebody who can write to the database does.
  func execute(_ sql: String) throws {
    switch self {
    case .file(let path):
      var database: OpaquePointer?
      defer { sqlite3_close(database) }
      guard sqlite3_open(path, &database) == SQLITE_OK else { throw FileProblem("not opened") }
      sqlite3_busy_timeout(database, 10_000)
      guard sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK else {
        throw FileProblem(String(cString: sqlite3_errmsg(database)))
      }
    case .database(let url): try TestDatabase(text: url.text).execute(sql)
    }
  }

  func open(
    clock: any ProviderClock = SystemWallClock(), authentication: RowAuthentication
  ) throws -> any CountingProviderStore {
    switch self {
    case .file(let path):
      return try SQLiteProviderStore(path: path, authentication: authentication, clock: clock)
    case .database(let url):
      var limits = DatabaseLimits()
      limits.connections = StoreTestCase.currentConnections
      return try PostgreSQLProviderStore(
        url, authentication: authentication, limits: limits, clock: clock)
    }
  }
}

extension RowAuthentication {
  /// Keys for a store without a data directory.
  static func forTests() throws -> RowAuthentication {
    try RowAuthentication([try XCTUnwrap(SoftwareSealingKey([UInt8](repeating: 7, count: 32)))])
  }
}
