import CPostgreSQL
import Foundation
import Synchronization
import TestSupport
import WalletProvider
import XCTest

/// A PostgreSQL server for this test process, in a temporary directory and without durability.
final class PostgreSQLServer: Sendable {
  private static let running = Mutex<PostgreSQLServer?>(nil)

  /// The shared server, started on first use; it ends with the process.
  static func shared() throws -> PostgreSQLServer {
    try running.withLock { server in
      if let server { return server }
      let started = try PostgreSQLServer()
      atexit { PostgreSQLServer.running.withLock { $0?.remove() } }
      server = started
      return started
    }
  }

  private let directory: String
  private let held: HeldPort
  private let process = Mutex<(server: Process, leash: Pipe)?>(nil)
  private let databases = Mutex(0)

  private init() throws {
    directory = NSTemporaryDirectory() + "provider-postgresql-" + UUID().uuidString.prefix(8)
    held = try HeldPort()
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    if getuid() == 0 {
      try Self.check(Program.run("/usr/bin/env", ["chown", "postgres", directory]))
    }
    let arguments = [
      "-D", directory + "/data", "-A", "trust", "-E", "UTF8", "-U", "postgres", "--no-sync",
    ]
    let made = try Program.run("/usr/bin/env", Self.asServer("initdb", arguments))
    try Self.check(made)
    try start()
  }

  fileprivate static func check(_ result: ProgramResult) throws {
    guard result.status == 0 else {
      throw FileProblem("PostgreSQL for the tests: \(result.errors) \(result.output)")
    }
  }

  /// PostgreSQL refuses to run as root.
  private static func asServer(_ name: String, _ arguments: [String]) throws -> [String] {
    let user = getuid() == 0 ? ["--reuid=postgres", "--regid=postgres", "--clear-groups"] : []
    return (user.isEmpty ? [] : ["setpriv"] + user) + [try program(name)] + arguments
  }

  /// The path of a PostgreSQL program.
  fileprivate static func program(_ name: String) throws -> String {
    // All programs must be of one version; the wrappers on Debian's PATH choose a version
    // themselves.
    let versions = "/usr/lib/postgresql"
    var directories = ((try? FileManager.default.contentsOfDirectory(atPath: versions)) ?? [])
      .sorted { $0.compare($1, options: .numeric) == .orderedDescending }
      .map { "\(versions)/\($0)/bin" }
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    directories += path.split(separator: ":").map(String.init)
    let found = directories.map { $0 + "/" + name }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
    guard let found else {
      throw FileProblem("there is no \(name) on the PATH or in \(versions); install postgresql")
    }
    return found
  }

  /// Starts it if it is not running, and waits until it responds. It ends with this process,
  /// however that ends: the surrounding shell reads until the other end of its pipe is closed.
  func start() throws {
    guard process.withLock({ $0 == nil }) else { return }
    let leashed = #""$@" <&- & read -r end; kill -QUIT $!"#
    let (server, leash) = (Process(), Pipe())
    server.executableURL = URL(fileURLWithPath: "/bin/sh")
    server.arguments =
      ["-c", leashed, "sh"]
      + (try Self.asServer(
        "postgres",
        [
          "-D", directory + "/data", "-p", "\(held.number)", "-k", directory,
          "-c", "listen_addresses=127.0.0.1", "-c", "fsync=off", "-c", "max_connections=300",
        ]))
    server.standardInput = leash
    server.standardOutput = FileHandle.nullDevice
    server.standardError = FileHandle.nullDevice
    try server.start()
    process.withLock { $0 = (server, leash) }
    _ = eventually { PQping(url("postgres")) == PQPING_OK || !server.isRunning }
    guard PQping(url("postgres")) == PQPING_OK else {
      throw FileProblem("PostgreSQL for the tests does not start")
    }
  }

  /// Ends it like a crash, without notifying its clients.
  func stop() {
    process.withLock {
      guard let (server, leash) = $0 else { return }
      try? leash.fileHandleForWriting.close()
      server.waitUntilExit()
      $0 = nil
      while FileManager.default.fileExists(atPath: directory + "/data/postmaster.pid") {
        usleep(5_000)
      }
    }
  }

  private func remove() {
    stop()
    try? FileManager.default.removeItem(atPath: directory)
  }

  fileprivate func url(_ database: String) -> String {
    "postgresql://postgres@127.0.0.1:\(held.number)/\(database)"
  }

  func makeDatabase() throws -> TestDatabase {
    let number = databases.withLock {
      $0 += 1
      return $0
    }
    let name = "test_\(number)"
    let connection = try TestConnection(url("postgres"))
    // Faster, because nothing is synced.
    let isNew = try connection.execute(
      "SELECT current_setting('server_version_num')::int >= 150000")
    try connection.execute(
      "CREATE DATABASE \(name)" + (isNew == ["t"] ? " STRATEGY file_copy" : ""))
    return TestDatabase(text: url(name))
  }
}

/// The database of one test, with direct access that bypasses the store.
struct TestDatabase: Sendable {
  let text: String

  var url: DatabaseURL {
    get throws { try DatabaseURL(text) }
  }

  /// Runs the statements on a separate connection; returns the first column of the last result.
  @discardableResult
  func execute(_ sql: String) throws -> [String] {
    let connection = try TestConnection(text)
    return try connection.execute(sql)
  }

  /// All rows of all tables in the server's format.
  func dump() throws -> [UInt8] {
    let connection = try TestConnection(text)
    let tables = try connection.execute(
      "SELECT format('%I.%I', schemaname, tablename) FROM pg_tables WHERE schemaname = 'public'")
    return try tables.flatMap { try connection.copy("COPY \($0) TO STDOUT (FORMAT binary)") }
  }

  /// Backs up everything to `file` with the server's own tools.
  func backUp(to file: String) throws {
    try PostgreSQLServer.check(
      Program.run(
        try PostgreSQLServer.program("pg_dump"), ["--format=custom", "--file", file, text]))
  }

  /// Restores a backup into this database, which must be empty.
  func restore(from file: String) throws {
    try PostgreSQLServer.check(
      Program.run(
        try PostgreSQLServer.program("pg_restore"),
        ["--exit-on-error", "--no-owner", "--dbname", text, file]))
  }

  /// Ends all other connections to this database.
  func endConnections() throws {
    try execute(
      """
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid()
      """)
  }

  /// Replaces the server's clock with one that the test shifts, for new connections.
  func fakeClock() throws {
    try execute(
      """
      CREATE SCHEMA fake;
      CREATE TABLE fake.shift (seconds DOUBLE PRECISION NOT NULL);
      INSERT INTO fake.shift VALUES (0);
      CREATE FUNCTION fake.clock_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE AS
        'SELECT pg_catalog.clock_timestamp() + seconds * interval ''1 second'' FROM fake.shift';
      DO $$ BEGIN EXECUTE format(
        'ALTER DATABASE %I SET search_path = fake, pg_catalog, public', current_database()); END $$;
      """)
  }

  func shiftClock(seconds: Double) throws {
    try execute("UPDATE fake.shift SET seconds = seconds + \(seconds)")
  }
}

/// A plain connection, which holds locks while it is open.
final class TestConnection {
  private let handle: OpaquePointer

  init(_ url: String) throws {
    guard let handle = PQconnectdb(url) else { throw FileProblem("no memory") }
    self.handle = handle
    guard PQstatus(handle) == CONNECTION_OK else {
      throw FileProblem(String(cString: PQerrorMessage(handle)))
    }
    _ = PQsetNoticeProcessor(handle, { _, _ in }, nil)
  }

  deinit { PQfinish(handle) }

  func copy(_ sql: String) throws -> [UInt8] {
    let result = PQexec(handle, sql)
    defer { PQclear(result) }
    guard PQresultStatus(result) == PGRES_COPY_OUT else {
      throw FileProblem(String(cString: PQerrorMessage(handle)))
    }
    var bytes: [UInt8] = []
    var part: UnsafeMutablePointer<CChar>?
    while case let length = PQgetCopyData(handle, &part, 0), length > 0 {
      bytes += UnsafeRawBufferPointer(start: part, count: Int(length))
      PQfreemem(part)
    }
    while let end = PQgetResult(handle) { PQclear(end) }
    return bytes
  }

  @discardableResult
  func execute(_ sql: String) throws -> [String] {
    let result = PQexec(handle, sql)
    defer { PQclear(result) }
    guard [PGRES_COMMAND_OK, PGRES_TUPLES_OK].contains(PQresultStatus(result)) else {
      throw FileProblem(String(cString: PQerrorMessage(handle)))
    }
    return (0..<PQntuples(result)).map { String(cString: PQgetvalue(result, $0, 0)) }
  }
}
