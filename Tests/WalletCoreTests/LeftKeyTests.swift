import CWalletCore
import CWalletCoreTesting
import Foundation
import TestSupport
import XCTest

@testable import WalletRuntime
@testable import wallet_core

/// How often the bridges are asked to delete keys that were left.
final class LeftKeyTests: WalletCoreTestCase {
  private let keys = ["wallet_core.signing.0001", "wallet_core.account.0001"]

  override func setUpWithError() throws {
    try super.setUpWithError()
    let notes = keys.map { "- \($0)\n" }.joined()
    try notes.write(toFile: storage + "/platform-keys", atomically: true, encoding: .utf8)
  }

  private func bridges(_ deletion: TestBridges.Deletion) -> TestBridges {
    let bridges = TestBridges()
    bridges.state.withLock { $0.deletion = deletion }
    return bridges
  }

  private func jobs() throws -> JobQueue { try CoreInstance.core().wallet.operations.jobs }

  /// Lets all jobs that are added from now on wait for the gate.
  private func hold(_ jobs: JobQueue) -> Gate {
    let gate = Gate()
    jobs.add { _, _ in gate.pass() }
    return gate
  }

  /// Becomes true when the background jobs that wait now, and those that they add, have ended.
  private func end(of jobs: JobQueue) -> Shared<Bool> {
    let hasEnded = Shared(false)
    jobs.add(isBackground: true) { [jobs] _, _ in
      jobs.add(isBackground: true) { _, _ in hasEnded.withLock { $0 = true } }
    }
    return hasEnded
  }

  private func wipe() throws {
    XCTAssertEqual(wallet_core_wipe(attach(), nil, nil), WALLET_CORE_OK)
  }

  func testAStartWhoseTurnComesAfterAWipeDoesNotAskAgain() throws {
    let bridges = bridges(.refused)
    XCTAssertEqual(try initialise(), 0)
    let jobs = try jobs()
    let gate = hold(jobs)
    XCTAssertEqual(bridges.handOver(), 0)
    try wipe()
    let end = end(of: jobs)
    gate.open()
    XCTAssertTrue(end.wait { $0 })
    XCTAssertEqual(bridges.state.current.deletions, keys, "the wipe asks, and the start does not")
  }

  func testAStartThatCompletesAWipeAsksOnce() throws {
    XCTAssertEqual(bridges(.silent).handOver(), 0)
    XCTAssertEqual(try initialise(), 0)
    try wipe()
    XCTAssertTrue(eventually { FileManager.default.fileExists(atPath: storage + "/wipe.json") })
    XCTAssertEqual(wallet_core_testing_reset_process(), 1)
    XCTAssertTrue(FileManager.default.fileExists(atPath: storage + "/wipe.json"))

    let bridges = bridges(.refused)
    XCTAssertEqual(try initialise(), 0)
    let jobs = try jobs()
    let gate = hold(jobs)
    XCTAssertEqual(bridges.handOver(), 0)
    let end = end(of: jobs)
    gate.open()
    XCTAssertTrue(end.wait { $0 })
    XCTAssertFalse(FileManager.default.fileExists(atPath: storage + "/wipe.json"))
    XCTAssertEqual(bridges.state.current.deletions, keys)
  }

  /// The wipe may have asked the former bridges.
  func testBridgesThatComeDuringAWipeAreAskedAfterIt() throws {
    let (old, new) = (bridges(.silent), bridges(.refused))
    XCTAssertEqual(try initialise(), 0)
    let jobs = try jobs()
    let gate = hold(jobs)
    XCTAssertEqual(old.handOver(), 0)
    try wipe()
    gate.open()
    XCTAssertTrue(old.state.wait { $0.deletions == [keys[0]] })
    XCTAssertEqual(new.handOver(), 0)
    let end = end(of: jobs)
    old.refuseDeletion(old.state.current.deletionCalls[0])
    XCTAssertTrue(end.wait { $0 })
    XCTAssertEqual(old.state.current.deletions, [keys[0]])
    XCTAssertEqual(new.state.current.deletions, [keys[1]] + keys, "the wipe's last, then both")
  }
}
