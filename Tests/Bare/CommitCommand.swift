import ArgumentParser
import CPostgreSQL
import Glibc

/// `commit`: a row that is changed and committed again and again by a prepared statement.
struct CommitCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "commit",
    abstract: "Measure the CPU of a durable commit in PostgreSQL, on the side of the client.",
    discussion: "Prints the CPU in ms of one commit. It is one round trip.")

  @Option(help: "The URL of the database.") var database: String
  @Option var rounds = 2000

  func run() throws {
    let connection = try BareConnection(database)
    // Not a temporary one: its changes need no disk.
    try connection.run("CREATE TABLE bare (id integer PRIMARY KEY, content bytea)")
    defer { try? connection.run("DROP TABLE bare") }
    try connection.run("INSERT INTO bare VALUES (1, '')")
    try connection.prepare("UPDATE bare SET content = $1 WHERE id = 1")
    let content = [UInt8](repeating: 7, count: 1500)
    let start = Self.ownCPU
    for _ in 0..<rounds { try connection.execute(content) }
    let milliseconds = (Self.ownCPU - start) * 1000 / Double(rounds)
    print((milliseconds * 10_000).rounded() / 10_000)
  }

  private static var ownCPU: Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}

/// libpq with nothing around it.
private final class BareConnection {
  private let handle: OpaquePointer

  init(_ url: String) throws {
    guard let handle = PQconnectdb(url) else { throw ValidationError("no memory") }
    self.handle = handle
    guard PQstatus(handle) == CONNECTION_OK else {
      throw ValidationError(String(cString: PQerrorMessage(handle)))
    }
  }

  deinit { PQfinish(handle) }

  func run(_ sql: String) throws { try check(PQexec(handle, sql)) }

  func prepare(_ sql: String) throws { try check(PQprepare(handle, "bare", sql, 0, nil)) }

  /// Executes the prepared statement with one value.
  func execute(_ value: [UInt8]) throws {
    let result = value.withUnsafeBytes { bytes in
      let start = bytes.bindMemory(to: CChar.self).baseAddress
      return PQexecPrepared(handle, "bare", 1, [start], [Int32(clamping: value.count)], [1], 1)
    }
    try check(result)
  }

  private func check(_ result: OpaquePointer?) throws {
    defer { PQclear(result) }
    guard PQresultStatus(result) == PGRES_COMMAND_OK else {
      throw ValidationError(String(cString: PQerrorMessage(handle)))
    }
  }
}
