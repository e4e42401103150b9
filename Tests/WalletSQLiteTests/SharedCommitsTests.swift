import Foundation
import GRDB
import ServerTestSupport
import Synchronization
import WalletSQLite
import XCTest

/// Transactions on one database that wait for each other.
final class SharedCommitsTests: XCTestCase {
  private struct Refusal: Error, Equatable {}
  private struct FailedCommit: Error, Equatable {}

  private typealias Commits = SharedCommits<Database>

  private var directory = ""

  override func setUpWithError() throws {
    directory = NSTemporaryDirectory() + "commits-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
  }

  override func tearDownWithError() throws {
    try FileManager.default.removeItem(atPath: directory)
  }

  /// The sizes of the commits so far, and whether the next ones fail.
  private final class Disk: Sendable {
    let sizes = Mutex<[Int]>([])
    let isFull = Mutex(false)
  }

  private func database(most: Int = 64) throws -> (DatabasePool, Commits, Disk) {
    let pool = try DatabasePool(path: directory + "/test.sqlite")
    try pool.write { try $0.execute(sql: "CREATE TABLE number(value INTEGER PRIMARY KEY)") }
    let disk = Disk()
    let commits = Commits(pool, most: most) { database, transactions in
      try database.inTransaction(.immediate) {
        for transaction in transactions {
          _ = try transaction.run(in: database, isAlone: transactions.count == 1) { database }
        }
        if disk.isFull.withLock({ $0 }) { throw FailedCommit() }
        return .commit
      }
      disk.sizes.withLock { $0.append(transactions.count) }
    }
    return (pool, commits, disk)
  }

  private func numbers(_ pool: DatabasePool) throws -> [Int] {
    try pool.read { try Int.fetchAll($0, sql: "SELECT value FROM number ORDER BY value") }
  }

  @Sendable private static func insert(_ number: Int, _ database: Database) throws -> Int {
    try database.execute(sql: "INSERT INTO number VALUES (?)", arguments: [number])
    return number
  }

  /// Runs the bodies while another transaction keeps them waiting, and returns what came of each.
  private func together(
    _ commits: Commits, _ bodies: [@Sendable (Database) throws -> Int]
  ) async throws -> [Result<Int, any Error>] {
    try await whileADatabaseIsHeld(
      waiting: { commits.waiting }, { hold in try await commits.run { _ in hold() } },
      bodies.map { body in { try await commits.run(body) } })
  }

  func testThoseThatWaitAreCommittedTogether() async throws {
    let (pool, commits, disk) = try database()
    let results = try await together(
      commits, (1...5).map { number in { try Self.insert(number, $0) } })
    XCTAssertEqual(try results.map { try $0.get() }, [1, 2, 3, 4, 5])
    XCTAssertEqual(try numbers(pool), [1, 2, 3, 4, 5])
    XCTAssertEqual(disk.sizes.withLock { $0 }, [1, 5])
  }

  func testNoMoreAreCommittedTogetherThanMay() async throws {
    let (pool, commits, disk) = try database(most: 2)
    let results = try await together(
      commits, (1...5).map { number in { try Self.insert(number, $0) } })
    XCTAssertEqual(try results.map { try $0.get() }, [1, 2, 3, 4, 5])
    XCTAssertEqual(try numbers(pool), [1, 2, 3, 4, 5])
    XCTAssertEqual(disk.sizes.withLock { $0 }, [1, 2, 2, 1])
  }

  func testOneThatFailsUndoesItsOwnChangesAndNoOthers() async throws {
    let (pool, commits, disk) = try database()
    let results = try await together(
      commits,
      [
        { try Self.insert(1, $0) },
        {
          _ = try Self.insert(2, $0)
          throw Refusal()
        },
        // Has the changes of the first and none of the second.
        { try Int.fetchOne($0, sql: "SELECT sum(value) FROM number") ?? 0 },
        { try Self.insert(1, $0) },
        { try Self.insert(4, $0) },
      ])
    XCTAssertEqual(try results[0].get(), 1)
    XCTAssertThrowsError(try results[1].get()) { XCTAssertTrue($0 is Refusal, "\($0)") }
    XCTAssertEqual(try results[2].get(), 1)
    XCTAssertThrowsError(try results[3].get()) { XCTAssertTrue($0 is DatabaseError, "\($0)") }
    XCTAssertEqual(try results[4].get(), 4)
    XCTAssertEqual(try numbers(pool), [1, 4])
    XCTAssertEqual(disk.sizes.withLock { $0 }, [1, 5])
  }

  func testOneAloneThatFailsChangesNothing() async throws {
    let (pool, commits, _) = try database()
    do {
      _ = try await commits.run { database -> Int in
        _ = try Self.insert(1, database)
        throw Refusal()
      }
      XCTFail("it did not fail")
    } catch is Refusal {}
    XCTAssertEqual(try numbers(pool), [])
  }

  func testIfTheCommitFailsNoneHasChangedAnything() async throws {
    let (pool, commits, disk) = try database()
    let results = try await together(
      commits,
      [
        {
          disk.isFull.withLock { $0 = true }
          return try Self.insert(1, $0)
        },
        { _ in throw Refusal() },
        { try Self.insert(3, $0) },
      ])
    XCTAssertThrowsError(try results[0].get()) { XCTAssertTrue($0 is FailedCommit, "\($0)") }
    // It may have refused because of a change that was undone.
    XCTAssertThrowsError(try results[1].get()) { XCTAssertTrue($0 is FailedCommit, "\($0)") }
    XCTAssertThrowsError(try results[2].get()) { XCTAssertTrue($0 is FailedCommit, "\($0)") }
    XCTAssertEqual(try numbers(pool), [])
    disk.isFull.withLock { $0 = false }
    let later = try await commits.run { try Self.insert(5, $0) }
    XCTAssertEqual(later, 5)
    XCTAssertEqual(try numbers(pool), [5])
  }

  func testAResultWhoseSavepointIsNotKeptIsNone() async throws {
    let (pool, commits, _) = try database()
    let results = try await together(
      commits,
      [
        { try Self.insert(1, $0) },
        { database in
          // The release that follows finds no savepoint.
          try database.execute(sql: "RELEASE shared")
          return try Self.insert(2, database)
        },
      ])
    for result in results { XCTAssertThrowsError(try result.get()) }
    XCTAssertEqual(try numbers(pool), [])
  }

  func testAnErrorThatEndsTheTransactionFailsAllOfThem() async throws {
    let (pool, commits, _) = try database()
    let results = try await together(
      commits,
      [
        { try Self.insert(1, $0) },
        {
          try $0.execute(sql: "ROLLBACK")
          throw Refusal()
        },
        { try Self.insert(3, $0) },
      ])
    for result in results {
      XCTAssertThrowsError(try result.get()) { XCTAssertTrue($0 is Refusal, "\($0)") }
    }
    XCTAssertEqual(try numbers(pool), [])
    let later = try await commits.run { try Self.insert(5, $0) }
    XCTAssertEqual(later, 5)
  }

  func testManyAtOnceAreAllCommittedOnce() async throws {
    let (pool, commits, disk) = try database(most: 8)
    try await withThrowingTaskGroup(of: Int.self) { group in
      for number in 1...200 {
        group.addTask { try await commits.run { try Self.insert(number, $0) } }
      }
      try await group.waitForAll()
    }
    XCTAssertEqual(try numbers(pool), Array(1...200))
    XCTAssertEqual(disk.sizes.withLock { $0.reduce(0, +) }, 200)
    XCTAssertEqual(commits.waiting, 0)
  }
}
