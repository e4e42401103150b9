import ArgumentParser
import CSQLite
import CSodium
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
    abstract: "Measure the CPU of a validation's bare cryptography and durable commits.",
    discussion: """
      A validation is two requests. The provider checks two signatures of the hardware key and one \
      of the PIN key, the evaluator one of each; each evaluates the PIN and proves it; each commits \
      twice. Prints the CPU in ms of the five checks, of the twelve multiplications in the group, \
      of one commit in a bare SQLite file (write-ahead log, synchronous FULL), and of one small \
      file that is replaced durably; the evaluator's record, written in place, costs less.
      """)

  @Option(help: "Directory on the disk that the provider's database is on.") var directory: String
  @Option var rounds = 2000

  func run() throws {
    let checks = try signatureChecks()
    let multiplications = try multiplications()
    let commit = try durableCommit()
    let file = try durableFile()
    print(String(format: "%.4f %.4f %.4f %.4f", checks, multiplications, commit, file))
  }

  private func signatureChecks() throws -> Double {
    let key = try Ed25519.SigningKey(seed: .random(count: 32))
    // As long as the signing input of an instruction.
    let message = [UInt8](repeating: 7, count: 600)
    let signature = key.sign(message)
    let start = ProcessFigures.ownCPU
    for _ in 0..<rounds * 5 {
      // The provider gets the keys as bytes too.
      guard let verifier = PublicKeyVerifier(ed25519: key.publicKey),
        verifier.isValid(signature: signature, for: message)
      else { throw Violation(description: "a signature does not verify") }
    }
    return (ProcessFigures.ownCPU - start) * 1000 / Double(rounds)
  }

  /// Of each half: the evaluation, and of its proof (RFC 9497 section 2.2.1) two weighted elements,
  /// two commitments and the public value, of which the multiplications of the generator are
  /// quicker.
  private func multiplications() throws -> Double {
    let length = Int(crypto_core_ristretto255_SCALARBYTES)
    var scalar = [UInt8](repeating: 0, count: length)
    crypto_core_ristretto255_scalar_random(&scalar)
    var element = [UInt8](repeating: 0, count: Int(crypto_core_ristretto255_BYTES))
    let start = ProcessFigures.ownCPU
    for _ in 0..<rounds * 2 {
      for _ in 0..<2 {
        guard crypto_scalarmult_ristretto255_base(&element, scalar) == 0 else {
          throw Violation(description: "a multiplication failed")
        }
      }
      var product = element
      for _ in 0..<4 {
        guard crypto_scalarmult_ristretto255(&product, scalar, element) == 0 else {
          throw Violation(description: "a multiplication failed")
        }
      }
    }
    return (ProcessFigures.ownCPU - start) * 1000 / Double(rounds)
  }

  private func durableCommit() throws -> Double {
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
    for _ in 0..<rounds {
      guard sqlite3_step(update) == SQLITE_DONE, sqlite3_reset(update) == SQLITE_OK else {
        throw Violation(description: "a commit failed")
      }
    }
    return (ProcessFigures.ownCPU - start) * 1000 / Double(rounds)
  }
  private func durableFile() throws -> Double {
    let (path, temporary) = (directory + "/baseline.record", directory + "/baseline.record.new")
    defer { unlink(path) }
    let content = [UInt8](repeating: 7, count: 1500)
    let start = ProcessFigures.ownCPU
    for _ in 0..<rounds / 4 {
      let file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
      let isWritten = write(file, content, content.count) == content.count && fsync(file) == 0
      close(file)
      let parent = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
      let isNamed = rename(temporary, path) == 0 && fsync(parent) == 0
      close(parent)
      guard isWritten, isNamed else { throw Violation(description: "a file was not written") }
    }
    return (ProcessFigures.ownCPU - start) * 1000 / Double(rounds / 4)
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
