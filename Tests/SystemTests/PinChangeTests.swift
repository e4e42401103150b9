import CSQLite
import CWalletCore
import CWalletCoreTesting
import Foundation
import TestSupport
import XCTest

/// A change of the PIN with a real provider that ends with its answer, or with a lost one.
final class PinChangeTests: PinChangeTestCase {
  func testTheNewPinOpensAndTheFormerOneIsWrong() throws {
    host.keys.hasBiometrics = true
    XCTAssertEqual(host.keys.connect(), 0)
    XCTAssertEqual(try host.enableBiometrics(pin), .valid)
    XCTAssertEqual(try host.changePin(pin, to: newPin), .valid)
    XCTAssertFalse(host.isLocked)
    awaitSettled()
    try assertOnly(newPin, opensNot: pin)
    try host.restart()
    try assertOnly(newPin, opensNot: pin)
    XCTAssertEqual(wallet_core_lock(nil), WALLET_CORE_OK)
    XCTAssertEqual(try host.unlockWithBiometrics(), .done, "biometric unlock is not affected")
    XCTAssertEqual(try host.changePin(newPin, to: pin), .valid)
    try assertOnly(pin, opensNot: newPin)
  }

  func testAWrongFormerPinCountsWithTheChecksAndABlockLocks() throws {
    XCTAssertEqual(try host.checkPin("142033"), .wrong(3))
    XCTAssertEqual(try host.changePin("142033", to: newPin), .wrong(2))
    XCTAssertEqual(try host.checkPin("142033"), .wrong(1))
    XCTAssertFalse(host.isLocked)
    XCTAssertEqual(try host.changePin("142033", to: newPin), .blocked(60_000))
    XCTAssertTrue(host.isLocked)
    try provider.advanceClock(milliseconds: 60_000)
    try assertOnly(pin, opensNot: newPin)
    XCTAssertNil(middle.latest(cancelPath), "a refused change needs no cancel")
    XCTAssertNil(middle.latest(commitPath))
  }

  func testWhatCannotBeAChangeIsRefusedAtOnce() throws {
    let refused = WALLET_CORE_ERROR_PIN_REFUSED
    for (former, new, reason) in [
      (pin, "123456", "sequence"), (pin, "111111", "too_few_different_digits"),
      (pin, "159753", "common"),
      (pin, "12x456", "not_digits"), (pin, "", "wrong_length"), ("12", newPin, "wrong_length"),
      ("14203x", newPin, "not_digits"), (pin, pin, "unchanged"),
    ] {
      let (status, data, _) = host.beginChange(former, to: new)
      XCTAssertEqual(status, refused, new)
      XCTAssertEqual(data, #"{"reason":"\#(reason)","schema":1}"#)
    }
    XCTAssertEqual(wallet_core_lock(nil), WALLET_CORE_OK)
    XCTAssertEqual(host.beginChange(pin, to: newPin).status, WALLET_CORE_ERROR_LOCKED)
    XCTAssertNil(middle.latest(preparePath))
    try assertOnly(pin, opensNot: newPin)
  }

  func testALostAnswerToThePreparationLeavesTheFormerPin() throws {
    cut(preparePath)
    XCTAssertEqual(try host.changePin(pin, to: newPin), Self.unreachable)
    awaitSettled()
    XCTAssertNotNil(middle.latest(cancelPath))
    try assertOnly(pin, opensNot: newPin)
  }

  func testALostAnswerToTheBeginningLeavesTheFormerPinAndNothingToSettle() throws {
    cut(beginPath)
    XCTAssertEqual(try host.changePin(pin, to: newPin), Self.unreachable)
    try assertOnly(pin, opensNot: newPin)
    // The wrong PIN whose answer was lost was counted once.
    XCTAssertEqual(try host.changePin("142033", to: newPin), Self.unreachable)
    middle.answer(with: nil)
    XCTAssertEqual(try host.checkPin("142033"), .wrong(2))
    XCTAssertNil(middle.latest(preparePath))
    XCTAssertNil(middle.latest(cancelPath))
    XCTAssertEqual(try host.changePin(pin, to: newPin), .valid)
    try assertOnly(newPin, opensNot: pin)
  }

  func testTheFormerPinHoldsWhileTheCancelIsLostToo() throws {
    cut(preparePath, cancelPath)
    XCTAssertEqual(try host.changePin(pin, to: newPin), Self.unreachable)
    try assertOnly(pin, opensNot: newPin)
    try host.restart()
    try assertOnly(pin, opensNot: newPin)
    XCTAssertEqual(wallet_core_testing_crash_point_count(Self.closed), settledBefore)
    middle.answer(with: nil)
    // A later instruction sends the cancel first.
    XCTAssertEqual(try host.checkPin(pin), .valid)
    awaitSettled()
    try assertOnly(pin, opensNot: newPin)
  }

  func testALostAnswerToAnyChallengeOfAChangeLosesNothing() throws {
    cut(challengePath)
    XCTAssertEqual(try host.changePin(pin, to: newPin), Self.unreachable)
    XCTAssertNil(middle.latest(beginPath))
    middle.answer(with: nil)
    // The evaluation of the former PIN was counted.
    try assertOnly(pin, opensNot: newPin, left: 2)
    // The challenge of the preparation, which is no attempt.
    middle.answer { [challengePath, beginPath, middle] exchange in
      exchange.path == challengePath && middle?.latest(beginPath) != nil ? [] : nil
    }
    XCTAssertEqual(try host.changePin(pin, to: newPin), Self.unreachable)
    XCTAssertNil(middle.latest(preparePath))
    middle.answer(with: nil)
    try assertOnly(pin, opensNot: newPin)
    awaitSettled()
    XCTAssertEqual(try host.changePin(pin, to: newPin), .valid)
    try assertOnly(newPin, opensNot: pin)
  }

  func testALostAnswerToTheCommitLeavesTheNewPin() throws {
    cut(commitPath)
    XCTAssertEqual(try host.changePin(pin, to: newPin), .valid)
    try assertOnly(newPin, opensNot: pin)
    try host.restart()
    try assertOnly(newPin, opensNot: pin)
    XCTAssertEqual(wallet_core_testing_crash_point_count(Self.closed), settledBefore)
    middle.answer(with: nil)
    XCTAssertEqual(try host.checkPin(newPin), .valid)
    awaitSettled()
    try assertOnly(newPin, opensNot: pin)
  }

  func testAChangeWaitsForTheCommitOfTheOneBefore() throws {
    cut(commitPath)
    XCTAssertEqual(try host.changePin(pin, to: newPin), .valid)
    XCTAssertEqual(try host.changePin(newPin, to: "314158"), Self.unreachable)
    XCTAssertEqual(middle.all(preparePath).count, 1)
    try assertOnly(newPin, opensNot: "314158")
    middle.answer(with: nil)
    XCTAssertEqual(try host.changePin(newPin, to: "314158"), .valid)
    try assertOnly("314158", opensNot: newPin)
  }

  func testAReplayedOrSwappedSuccessChangesNothing() throws {
    XCTAssertEqual(try host.changePin(pin, to: newPin), .valid)
    awaitSettled()
    let begun = try XCTUnwrap(middle.latest(beginPath)).answer
    let prepared = try XCTUnwrap(middle.latest(preparePath)).answer
    XCTAssertEqual(try host.checkPin(newPin), .valid)
    let ofACheck = try XCTUnwrap(middle.latest(checkPinPath)).answer
    for (path, answer, former) in [
      (beginPath, begun, "142033"), (beginPath, ofACheck, "142033"),
      (preparePath, prepared, newPin), (preparePath, ofACheck, newPin),
    ] {
      middle.answer { $0.path == path ? answer : nil }
      let completion = try host.changePin(former, to: "314158")
      XCTAssertEqual(completion.status, WALLET_CORE_ERROR_SERVER_REFUSED, "\(completion)")
      middle.answer(with: nil)
      XCTAssertEqual(try host.checkPin(newPin), .valid)
    }
    try assertOnly(newPin, opensNot: "314158")
    awaitSettled(3)
    // An answer to another instruction does not end a prepared change either.
    let committed = try XCTUnwrap(middle.latest(commitPath)).answer
    let (commit, cancel) = (commitPath, cancelPath)
    middle.answer { [commit, cancel].contains($0.path) ? committed : nil }
    XCTAssertEqual(try host.changePin(newPin, to: pin), .valid)
    try assertOnly(pin, opensNot: newPin)
    middle.answer(with: nil)
    XCTAssertEqual(try host.checkPin(pin), .valid)
    try assertOnly(pin, opensNot: newPin)
  }

  func testAnUnsignedRefusalLeavesTheFormerPin() throws {
    for path in [beginPath, preparePath] {
      for status in [400, 403, 404, 409, 503] {
        middle.answer { $0.path == path ? ManInTheMiddle.http(status, "{}") : nil }
        XCTAssertNotEqual(try host.changePin(pin, to: newPin).status, 0, "\(status) \(path)")
        middle.answer(with: nil)
        try assertOnly(pin, opensNot: newPin)
      }
    }
  }

  func testACommitThatTheProviderDoesNotKnowIsGivenUp() throws {
    var database: OpaquePointer?
    defer { sqlite3_close(database) }
    let path = provider.data.appendingPathComponent("wallet-provider.sqlite").path
    XCTAssertEqual(sqlite3_open(path, &database), SQLITE_OK)
    sqlite3_busy_timeout(database, 5_000)
    func execute(_ sql: String) {
      XCTAssertEqual(sqlite3_exec(database, sql, nil, nil, nil), SQLITE_OK)
    }
    cut(commitPath)
    execute("CREATE TABLE former AS SELECT * FROM wallet")
    XCTAssertEqual(try host.changePin(pin, to: newPin), .valid)
    // An honest provider does not forget it, but one with a restored row does.
    execute("REPLACE INTO wallet SELECT * FROM former; DROP TABLE former")
    middle.answer(with: nil)
    // Its key is not known any more, so that it is not evaluated.
    let refused = WALLET_CORE_ERROR_SERVER_REFUSED
    XCTAssertEqual(try host.checkPin(newPin).status, refused)
    awaitSettled()
    let commits = middle.all(commitPath).count
    XCTAssertEqual(try host.checkPin("142033").status, refused)
    XCTAssertEqual(middle.all(commitPath).count, commits, "the commit is not sent again")
  }
}
