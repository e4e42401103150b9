import ArgumentParser
import CSQLite
import Foundation
import ProtocolTestClient
import WalletCrypto
import WalletProtocol
import WalletProvider
import WalletSignatures

/// `baseline`: what one validation of a PIN costs at the very least.
struct BaselineCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "baseline",
    abstract: "Measure the CPU of a validation's bare signature checks and durable commits.",
    discussion: """
      A validation is two requests: two signatures of the hardware key, one of the PIN key, two \
      commits. Prints the CPU in ms of the three checks, and of the two commits in a bare SQLite file \
      (write-ahead log, synchronous FULL).
      """)

  @Option(help: "Directory on the disk that the provider's database is on.") var directory: String
  @Option var rounds = 2000

  func run() throws {
    let checks = try signatureChecks()
    let commits = try durableCommits()
    print(String(format: "%.4f %.4f", checks, commits))
  }

  private func signatureChecks() throws -> Double {
    let key = try Ed25519.SigningKey(seed: .random(count: 32))
    // As long as the signing input of an instruction.
    let message = [UInt8](repeating: 7, count: 600)
    let signature = key.sign(message)
    let start = ProcessFigures.ownCPU
    for _ in 0..<rounds * 3 {
      // The provider gets the keys as bytes too.
      guard let verifier = PublicKeyVerifier(ed25519: key.publicKey),
        verifier.isValid(signature: signature, for: message)
      else { throw Violation(description: "a signature does not verify") }
    }
    return (ProcessFigures.ownCPU - start) * 1000 / Double(rounds)
  }

  private func durableCommits() throws -> Double {
    let path = directory + "/baseline.sqlite"
    defer { for end in ["", "-wal", "-shm"] { unlink(path + end) } }
    let database = try BareDatabase(path: path)
    try database.run("PRAGMA journal_mode = WAL")
    try database.run("PRAGMA synchronous = FULL")
    try database.run("CREATE TABLE row (id INTEGER PRIMARY KEY, content BLOB)")
    try database.run("INSERT INTO row VALUES (1, zeroblob(700))")
    let update = try database.prepare("UPDATE row SET content = randomblob(700) WHERE id = 1")
    defer { sqlite3_finalize(update) }
    let start = ProcessFigures.ownCPU
    for _ in 0..<rounds * 2 {
      guard sqlite3_step(update) == SQLITE_DONE, sqlite3_reset(update) == SQLITE_OK else {
        throw Violation(description: "a commit failed")
      }
    }
    return (ProcessFigures.ownCPU - start) * 1000 / Double(rounds)
  }
}

/// SQLite with nothing around it.
private final class BareDatabase {
  private var handle: OpaquePointer?

  init(path: String) throws {
    guard sqlite3_open(path, &handle) == SQLITE_OK else {
      throw Violation(description: "\(path) cannot be opened")
    }
  }

  deinit { sqlite3_close(handle) }

  func run(_ sql: String) throws {
    guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else {
      throw Violation(description: "SQLite refuses: \(sql)")
    }
  }

  func prepare(_ sql: String) throws -> OpaquePointer? {
    var statement: OpaquePointer?
    guard sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK else {
      throw Violation(description: "SQLite refuses: \(sql)")
    }
    return statement
  }
}
