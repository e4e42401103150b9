import Foundation
import WalletAttempts
import WalletProtocol
import WalletSignatures
import XCTest

@testable import WalletEvaluator
@testable import WalletProviderStores

/// The last round of a wallet whose row was put back, and what ends it.
final class LastRoundTests: EvaluatorTestCase {
  func testARowPutBackTwiceGainsNothing() async throws {
    let evaluator = try evaluator()
    let wallets = try await wallets(evaluator)
    let (wallet, key) = wallets[0]
    for count in [1, 3] as [UInt64] {
      keepRows()
      _ = try await evaluator.attempt(wallet, key)
      try await moveOn(evaluator)
      putBack(key)
      let answer = try await evaluator.attempt(wallet, key)
      XCTAssertEqual(try answer.standing.attempts, lastRound + count)
    }
    let last = try await evaluator.attempt(wallet, key)
    XCTAssertTrue(try last.standing.isBlockedPermanently)
  }

  /// The last change can be made again, and so no row that it has changed can be put back.
  func testTheLastChangeStandsWhoeverPutsItsRowBack() async throws {
    let evaluator = try evaluator()
    let wallets = try await wallets(evaluator)
    let (wallet, key) = wallets[1]
    for count in 1...3 as ClosedRange<UInt64> {
      keepRows()
      let request = try wallet.challenge(
        for: .checkPin, key: key, blinded: try TestWallet.blinded())
      let answer = try await evaluator.answer(.evaluate(request: request))
      XCTAssertEqual(try answer.standing.attempts, count)
      putBack(key)
      let next = count == 2 ? try self.evaluator() : evaluator
      let again = try await next.answer(.evaluate(request: request))
      XCTAssertEqual(again, answer)
    }
    XCTAssertEqual(findings(), [])
    _ = try self.evaluator()
    XCTAssertEqual(findings(), [])
  }

  /// The policy allows 16 attempts.
  func testAnOldRowPutBackAgainAndAgainGainsNoAttempt() async throws {
    for period in [1, 5, 13, 15] {
      for isRestarted in [false, true] {
        var evaluator = try evaluator()
        let wallet = TestWallet()
        let key = try await evaluator.adopted(wallet)
        keepRows()
        var evaluated = 0
        for number in 1...40 {
          let answer = try await evaluator.attempt(wallet, key)
          if case .evaluated = answer { evaluated += 1 }
          clock.advance(3_600_000)
          guard number % period == 0 else { continue }
          try await moveOn(evaluator)
          putBack(key)
          keepRows()
          if isRestarted { evaluator = try self.evaluator() }
        }
        XCTAssertLessThanOrEqual(evaluated, 16, "after \(period), \(isRestarted)")
        let last = try await evaluator.attempt(wallet, key)
        XCTAssertTrue(try last.standing.isBlockedPermanently)
        // An operator can still help, and then it begins anew.
        let isKnown = try await evaluator.unblock(key: key)
        XCTAssertTrue(isKnown)
        let count = try await evaluator.countNow(wallet, key)
        XCTAssertEqual(count, 0)
        runSQL("DROP TABLE former")
        _ = findings()
      }
    }
  }

  /// Anybody can register wallets and use up their attempts. What each change of any wallet writes does
  /// not grow with them, also if they are deleted.
  func testWalletsInTheirLastRoundAreNotInTheRecord() async throws {
    let evaluator = try evaluator()
    let file = EvaluatorRecordFile(directory: directory)
    var sizes: [Int] = []
    for number in 1...30 {
      let wallet = TestWallet()
      let key = try await evaluator.adopted(wallet)
      for _ in 1...16 {
        _ = try await evaluator.attempt(wallet, key)
        clock.advance(3_600_000)
      }
      if number.isMultiple(of: 2) { _ = try await evaluator.answer(.delete(key: key)) }
      try await moveOn(evaluator)
      sizes.append(try XCTUnwrap(file.read()).count)
    }
    // Thirty counts would take some 850 bytes.
    XCTAssertLessThan(try XCTUnwrap(sizes.max()), try XCTUnwrap(sizes.min()) + 200)
    let files = try FileManager.default.subpathsOfDirectory(atPath: directory + "/last-rounds")
    XCTAssertTrue((2...30).contains(files.count), "\(files)")
    _ = try self.evaluator()
    XCTAssertEqual(findings(), [])
  }

  /// A wallet with 13 attempts, and the path of its file.
  private func walletInItsLastRound() async throws -> (TestWallet, key: String, file: String) {
    let evaluator = try evaluator()
    let wallet = TestWallet()
    let key = try await evaluator.adopted(wallet)
    for _ in 1...13 {
      _ = try await evaluator.attempt(wallet, key)
      clock.advance(3_600_000)
    }
    let folder = directory + "/last-rounds/"
    let name = try XCTUnwrap(FileManager.default.subpathsOfDirectory(atPath: folder).first)
    return (wallet, key, folder + name)
  }

  func testADamagedFileOfLastRoundsIsFoundOnceAndWrittenAnew() async throws {
    let (wallet, key, file) = try await walletInItsLastRound()
    var content = try Data(contentsOf: URL(filePath: file))
    for place in [60, content.count / 2 + 60] { content[place] ^= 1 }
    try content.write(to: URL(filePath: file))
    let next = try evaluator()
    XCTAssertEqual(findings(), [.databaseReplaced])
    let answer = try await next.attempt(wallet, key)
    XCTAssertEqual(try answer.standing.attempts, 14)
    _ = try evaluator()
    XCTAssertEqual(findings(), [])
  }

  /// Its key may come back, and with it the counts.
  func testAFileOfLastRoundsOfAnotherKeyIsNotTakenForEmpty() async throws {
    let (wallet, key, file) = try await walletInItsLastRound()
    let content = try Data(contentsOf: URL(filePath: file))
    XCTAssertThrowsError(
      try evaluator(keys: EvaluatorKeys(secrets: [SecureRandom.bytes(32)]))
    ) {
      XCTAssertTrue($0 is EvaluatorFailure, "\($0)")
      XCTAssertTrue("\($0)".contains(URL(filePath: file).lastPathComponent), "\($0)")
    }
    XCTAssertEqual(try Data(contentsOf: URL(filePath: file)), content)
    let answer = try await evaluator().attempt(wallet, key)
    XCTAssertEqual(try answer.standing.attempts, 14)
  }

  func testAStartSealsTheFilesWithTheKeyInUse() async throws {
    let wallet = TestWallet()
    let first = try evaluator()
    let key = try await first.adopted(wallet)
    for _ in 1...14 {
      _ = try await first.attempt(wallet, key)
      clock.advance(3_600_000)
    }
    let new = SecureRandom.bytes(32)
    _ = try evaluator(keys: EvaluatorKeys(secrets: [new, secret]))
    XCTAssertEqual(findings(), [])
    let folder = directory + "/last-rounds/"
    let name = try XCTUnwrap(FileManager.default.subpathsOfDirectory(atPath: folder).first)
    let number = try XCTUnwrap(Int(name, radix: 16))
    let content = try XCTUnwrap(
      EvaluatorRecordFile(directory: directory).readLastRounds(number))
    let current = try XCTUnwrap(EvaluatorKeys(secrets: [new]))
    let reading = try LastRounds.read({ $0 == number ? content : nil }, keys: current)
    XCTAssertEqual(reading.damaged, [])
    XCTAssertNotEqual(reading.rounds, LastRounds())
  }

  /// A record of an earlier version has them all.
  func testWhatAnEarlierVersionKeptInTheRecordIsMoved() async throws {
    let evaluator = try evaluator()
    let wallet = TestWallet()
    let key = try await evaluator.adopted(wallet)
    keepRows()
    for _ in 1...14 {
      _ = try await evaluator.attempt(wallet, key)
      clock.advance(3_600_000)
    }
    try FileManager.default.removeItem(atPath: directory + "/last-rounds")
    let file = EvaluatorRecordFile(directory: directory)
    var record = try XCTUnwrap(RowRecord(sealed: try XCTUnwrap(file.read()), keys: keys()))
    record.lastRound = [try XCTUnwrap(record.changes.first).id: 14]
    try file.write(try record.sealed(by: keys()))
    let next = try self.evaluator()
    XCTAssertEqual(findings(), [])
    let moved = try XCTUnwrap(RowRecord(sealed: try XCTUnwrap(file.read()), keys: keys()))
    XCTAssertEqual(moved.lastRound, [:])
    try await moveOn(next)
    putBack(key)
    let answer = try await next.attempt(wallet, key)
    XCTAssertEqual(try answer.standing.attempts, 15)
    _ = findings()
  }

  func testARightPinInTheLastRoundLeavesNothingInTheRecord() async throws {
    let evaluator = try evaluator()
    let wallet = TestWallet()
    let key = try await evaluator.adopted(wallet)
    let file = EvaluatorRecordFile(directory: directory)
    let size = try XCTUnwrap(file.read()).count
    for _ in 1...15 {
      _ = try await evaluator.attempt(wallet, key)
      clock.advance(3_600_000)
    }
    let made = try await evaluator.begun(wallet, key)
    let right = try await evaluator.proven(wallet, made)
    XCTAssertEqual(try right.standing.attempts, 0)
    XCTAssertLessThanOrEqual(try XCTUnwrap(file.read()).count, size + 8)
    let count = try await self.evaluator().countNow(wallet, key)
    XCTAssertEqual(count, 0)
    XCTAssertEqual(findings(), [])
  }

  func testTheRightPinEndsTheLastRound() async throws {
    let evaluator = try evaluator()
    let wallet = TestWallet()
    let key = try await evaluator.adopted(wallet)
    keepRows()
    _ = try await evaluator.attempt(wallet, key)
    try await moveOn(evaluator)
    putBack(key)
    let made = try await evaluator.begun(wallet, key)
    let right = try await evaluator.proven(wallet, made)
    XCTAssertEqual(try right.standing.attempts, 0)
    let next = try await self.evaluator().attempt(wallet, key)
    XCTAssertEqual(try next.standing.attempts, 1)
    XCTAssertEqual(findings(), [.walletBehind])
  }

  /// The ways in which somebody makes the evaluator delete a row before putting it back.
  func testARowThatWasDeletedAndPutBackAgainAndAgainGainsNoAttempt() async throws {
    for isExpired in [false, true] {
      for isRestarted in [false, true] {
        var evaluator = try evaluator()
        let wallet = TestWallet()
        let key = try await evaluator.adopted(wallet)
        keepRows()
        var evaluated = 0
        for number in 1...40 {
          let answer = try await evaluator.attempt(wallet, key)
          if case .evaluated = answer { evaluated += 1 }
          clock.advance(3_600_000)
          guard number.isMultiple(of: 3) else { continue }
          if isExpired {
            runSQL("UPDATE evaluated_wallet SET expires_at = 1 WHERE key = '\(key)'")
            try await moveOn(evaluator)
          } else {
            _ = try await evaluator.answer(.delete(key: key))
          }
          try await moveOn(evaluator)
          putBack(key)
          keepRows()
          if isRestarted { evaluator = try self.evaluator() }
        }
        XCTAssertLessThanOrEqual(evaluated, 16, "\(isExpired) \(isRestarted)")
        let last = try await evaluator.attempt(wallet, key)
        XCTAssertTrue(try last.standing.isBlockedPermanently)
        runSQL("DROP TABLE former")
        _ = findings()
      }
    }
  }

  /// Whoever has the hardware key and writes to the database must not have a key of his own adopted in
  /// the place of one that was adopted.
  func testTheRowOfAnOpeningThatIsPutBackIsNotAdoptedAgain() async throws {
    for isRestarted in [false, true] {
      var evaluator = try evaluator()
      let (wallet, other) = (TestWallet(), TestWallet())
      let made = try await evaluator.opened(wallet)
      let others = try await evaluator.adopted(other)
      runSQL("CREATE TABLE opened AS SELECT * FROM evaluated_wallet")
      func adopt(_ pin: TestPinKey) async throws -> EvaluatorAnswer {
        let message = try wallet.message(
          .register, evaluation: made.half.evaluation, blinded: made.blinded, signer: pin)
        return try await evaluator.answer(
          .adopt(
            key: made.half.key,
            adoption: try wallet.adoption(message: message, publicKey: pin.publicKey)))
      }
      assertAdopted(try await adopt(wallet.pin))
      // Another change is the last one, which the evaluator makes again.
      _ = try await evaluator.attempt(other, others)
      runSQL(
        """
        DELETE FROM evaluated_wallet WHERE key = '\(made.half.key)';
        INSERT INTO evaluated_wallet SELECT * FROM opened
          WHERE key = '\(made.half.key)';
        DROP TABLE opened
        """)
      if isRestarted { evaluator = try self.evaluator() }
      let thief = TestPinKey()
      let answer = try await adopt(thief)
      XCTAssertEqual(answer, .unknownKey, "\(isRestarted)")
      _ = findings()
    }
  }

  func testTheRowOfAnOpeningPutBackAfterItsHourIsNotForgotten() async throws {
    let evaluator = try evaluator()
    let wallet = TestWallet()
    let made = try await evaluator.opened(wallet)
    runSQL("CREATE TABLE opened AS SELECT * FROM evaluated_wallet")
    let message = try wallet.message(
      .register, evaluation: made.half.evaluation, blinded: made.blinded)
    let adopted = try await evaluator.answer(
      .adopt(
        key: made.half.key,
        adoption: try wallet.adoption(message: message, publicKey: wallet.pin.publicKey)))
    assertAdopted(adopted)
    keepRows()
    // Another process, such as a command of the operator.
    let other = try self.evaluator()
    var evaluated = 0
    for _ in 1...8 {
      for _ in 1...4 {
        if case .evaluated = try await evaluator.attempt(wallet, made.half.key) { evaluated += 1 }
        clock.advance(3_600_000)
      }
      _ = try await other.unblock(key: "unknown")
      try await moveOn(other)
      runSQL(
        """
        DELETE FROM evaluated_wallet WHERE key = '\(made.half.key)';
        INSERT INTO evaluated_wallet SELECT * FROM opened;
        """)
      try await moveOn(evaluator)
      try await moveOn(evaluator)
      putBack(made.half.key)
      keepRows()
    }
    XCTAssertLessThanOrEqual(evaluated, 16)
  }
}
