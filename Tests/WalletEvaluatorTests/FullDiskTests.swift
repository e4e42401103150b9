import Foundation
import Synchronization
import WalletProtocol
import XCTest

@testable import WalletEvaluator
@testable import WalletProviderStores

/// A disk on which one of the two writes of an attempt fails.
final class FullDiskTests: EvaluatorTestCase {
  /// A record's file that cannot be written while the disk is full.
  private final class LimitedFile: RowRecordFile {
    private let inner: EvaluatorRecordFile
    private let full = Mutex(false)

    init(directory: String) { inner = EvaluatorRecordFile(directory: directory) }

    func setFull(_ isFull: Bool) { full.withLock { $0 = isFull } }

    func locked<Result>(_ body: () throws -> Result) throws -> Result { try inner.locked(body) }

    func read() throws -> [UInt8]? { try inner.read() }

    func write(_ content: [UInt8]) throws {
      if full.withLock({ $0 }) { throw EvaluatorFailure("no space left") }
      try inner.write(content)
    }

    func readLastRounds(_ file: Int) throws -> [UInt8]? { try inner.readLastRounds(file) }

    func writeLastRounds(_ content: [UInt8], _ file: Int) throws {
      if full.withLock({ $0 }) { throw EvaluatorFailure("no space left") }
      try inner.writeLastRounds(content, file)
    }
  }

  private func assertFails(
    _ request: EvaluatorRequest, _ evaluator: Evaluator, line: UInt = #line
  ) async throws {
    do {
      let answer = try await evaluator.answer(request)
      XCTFail("\(answer)", line: line)
    } catch is EvaluatorFailure {}
  }

  func testWithoutSpaceForTheRecordAnAttemptIsRefusedAndNothingIsCountedLess() async throws {
    let file = LimitedFile(directory: directory)
    let evaluator = try evaluator(file: file)
    let wallet = TestWallet()
    let key = try await evaluator.adopted(wallet)
    _ = try await evaluator.attempt(wallet, key)
    file.setFull(true)
    for _ in 1...3 {
      let request = try wallet.challenge(
        for: .checkPin, key: key, blinded: try TestWallet.blinded())
      try await assertFails(.evaluate(request: request), evaluator)
    }
    try await assertFails(
      .open(request: try wallet.registration(try TestWallet.blinded())), evaluator)
    file.setFull(false)
    let second = try await evaluator.attempt(wallet, key)
    XCTAssertEqual(try second.standing.attempts, 2)
    _ = try self.evaluator()
    XCTAssertEqual(findings(), [])
  }

  func testAfterACommitThatFailsNothingIsCountedLessAndNobodyIsSuspected() async throws {
    let evaluator = try evaluator()
    let wallet = TestWallet()
    let key = try await evaluator.adopted(wallet)
    _ = try await evaluator.attempt(wallet, key)
    // Lets each change of a row fail at its commit.
    runSQL(
      """
      CREATE TABLE parent(id INTEGER PRIMARY KEY);
      CREATE TABLE child(id INTEGER REFERENCES parent(id) DEFERRABLE INITIALLY DEFERRED);
      CREATE TRIGGER failing AFTER UPDATE ON evaluated_wallet
        BEGIN INSERT INTO child VALUES (1); END;
      """)
    let request = try wallet.challenge(
      for: .checkPin, key: key, blinded: try TestWallet.blinded())
    for _ in 1...3 { try await assertFails(.evaluate(request: request), evaluator) }
    runSQL("DROP TRIGGER failing")
    let answer = try await evaluator.answer(.evaluate(request: request))
    XCTAssertEqual(try answer.standing.attempts, 2)
    _ = try self.evaluator()
    XCTAssertEqual(findings(), [])
  }

  func testSeveralProcessesOnOneDirectoryCountTogether() async throws {
    let evaluators = [try evaluator(), try evaluator(), try evaluator()]
    let wallet = TestWallet()
    let key = try await evaluators[0].adopted(wallet)
    let other = TestWallet()
    let others = try await evaluators[1].adopted(other)
    for number in 1...9 {
      let evaluator = evaluators[number % 3]
      if number % 4 == 0 { clock.advance(3_600_000) }
      let answer = try await evaluator.attempt(wallet, key)
      if case .blocked = answer { clock.advance(3_600_000) }
      _ = try await evaluators[(number + 1) % 3].begun(other, others)
      let made = try await evaluator.begun(other, others)
      let right = try await evaluators[(number + 2) % 3].proven(other, made)
      XCTAssertEqual(try right.standing.attempts, 0)
    }
    XCTAssertEqual(findings(), [])
    _ = try evaluator()
    XCTAssertEqual(findings(), [])
  }
}
