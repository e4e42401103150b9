import TestSupport
import WalletAttempts
import WalletProtocol
import WalletSignatures
import XCTest

@testable import WalletEvaluator

/// A wallet that is registered again with the same hardware key, because the provider says that it is
/// gone. Its owner often takes the same PIN.
final class FormerWalletTests: EvaluatorTestCase {
  private let day: Int64 = 24 * 3_600_000

  /// Uses up attempts until a block begins or none is asked for, and waits for blocks to end.
  private func wrongPins(
    _ count: Int, _ evaluator: Evaluator, _ wallet: TestWallet, _ key: String
  ) async throws {
    var left = count
    while left > 0 {
      switch try await evaluator.attempt(wallet, key) {
      case .evaluated: left -= 1
      case .blocked(let standing):
        clock.advance(Int64(clamping: try XCTUnwrap(standing.blockedMilliseconds)))
      case let other: return XCTFail("\(other)")
      }
    }
  }

  private func adoption(
    _ evaluator: Evaluator, _ wallet: TestWallet, _ made: TestWallet.Made,
    sequence: UInt64? = nil
  ) async throws -> EvaluatorAnswer {
    let message = try wallet.message(
      .register, evaluation: made.half.evaluation, blinded: made.blinded)
    let adoption = try wallet.adoption(
      message: message, publicKey: wallet.pin.publicKey, sequence: sequence)
    return try await evaluator.answer(.adopt(key: made.half.key, adoption: adoption))
  }

  func testANewRegistrationEndsTheFormerOneAndTakesOverItsCount() async throws {
    let evaluator = try evaluator()
    let wallet = TestWallet()
    let former = try await evaluator.adopted(wallet)
    try await wrongPins(3, evaluator, wallet, former)
    let key = try await evaluator.adopted(wallet)
    let gone = try await evaluator.attempt(wallet, former)
    XCTAssertEqual(gone, .unknownKey)
    let attempt = try await evaluator.begun(wallet, key)
    let blocked = try await evaluator.attempt(wallet, key)
    XCTAssertEqual(try blocked.standing.attempts, 4)
    let right = try await evaluator.proven(wallet, attempt)
    XCTAssertEqual(try right.standing.attempts, 0)
  }

  func testHoweverOftenAWalletIsSetUpThereAreNoMoreAttempts() async throws {
    for isDeleted in [false, true] {
      let evaluator = try evaluator()
      let wallet = TestWallet()
      var key = try await evaluator.adopted(wallet)
      for _ in 1...15 {
        try await wrongPins(1, evaluator, wallet, key)
        if isDeleted {
          let deleted = try await evaluator.answer(.delete(key: key))
          XCTAssertEqual(deleted, .done)
        }
        key = try await evaluator.adopted(wallet)
      }
      try await wrongPins(1, evaluator, wallet, key)
      let last = try await evaluator.attempt(wallet, key)
      guard case .blocked(let standing) = last else { return XCTFail("\(last), \(isDeleted)") }
      XCTAssertTrue(standing.isBlockedPermanently)
      key = try await evaluator.adopted(wallet)
      let after = try await evaluator.attempt(wallet, key)
      XCTAssertTrue(try after.standing.isBlockedPermanently)
    }
  }

  func testTheLimitOf30DaysOutlivesARegistrationAndADeletion() async throws {
    let policy = try AttemptPolicy(
      rounds: 4, attemptsPerRound: 4, blockDurations: [1, 1, 1], failuresPerMonth: 10)
    let evaluator = try evaluator(policy: policy)
    let wallet = TestWallet()
    var evaluated = 0
    while evaluated < 20 {
      let key = try await evaluator.adopted(wallet)
      guard case .evaluated = try await evaluator.attempt(wallet, key) else { break }
      evaluated += 1
      guard let attempt = try? await evaluator.begun(wallet, key) else { break }
      let right = try await evaluator.proven(wallet, attempt)
      XCTAssertEqual(try right.standing.attempts, 0)
      if evaluated.isMultiple(of: 2) { _ = try await evaluator.answer(.delete(key: key)) }
      clock.advance(Evaluator.adoptionLife)
    }
    XCTAssertEqual(evaluated, 10)
  }

  func testTheCountOfADeletedWalletIsKeptFor31DaysAfterItsLastWrongPin() async throws {
    let evaluator = try evaluator()
    for (days, attempts) in [(30, UInt64(3)), (31, 1)] {
      let wallet = TestWallet()
      let former = try await evaluator.adopted(wallet)
      try await wrongPins(2, evaluator, wallet, former)
      let deleted = try await evaluator.answer(.delete(key: former))
      XCTAssertEqual(deleted, .done)
      clock.advance(Int64(days) * day)
      let key = try await evaluator.adopted(wallet)
      let attempt = try await evaluator.attempt(wallet, key)
      XCTAssertEqual(try attempt.standing.attempts, attempts, "\(days)")
    }
  }

  func testADeletedWalletKeepsNoKeyAndNoRowWithoutAWrongPin() async throws {
    let evaluator = try evaluator()
    for wrong in [0, 1] {
      let wallet = TestWallet()
      let key = try await evaluator.adopted(wallet)
      try await wrongPins(wrong, evaluator, wallet, key)
      let deleted = try await evaluator.answer(.delete(key: key))
      XCTAssertEqual(deleted, .done)
      let hardwareKey = wallet.hardware.der
      let kept = try await evaluator.store.transaction {
        try $0.countedWallets(of: hardwareKey)
      }
      XCTAssertEqual(kept.count, wrong)
      for row in kept {
        XCTAssertEqual(row.current.half, [])
        XCTAssertNil(row.current.publicKey)
        XCTAssertNil(row.newest)
        for request in [
          EvaluatorRequest.prove(key: row.current.id, message: ""), .commit(key: row.current.id),
          .evaluate(
            request: try wallet.challenge(
              for: .checkPin, key: row.current.id, blinded: try TestWallet.blinded())),
        ] {
          let answer = try await evaluator.answer(request)
          XCTAssertTrue([.refused, .unknownKey, .done].contains(answer), "\(answer)")
        }
      }
    }
  }

  /// Two registrations that are handled at the same time: the provider keeps the later one.
  func testTheLaterOfTwoRegistrationsIsKeptWhicheverIsHandledFirst() async throws {
    let evaluator = try evaluator()
    let wallet = TestWallet()
    let (first, second) = (try await evaluator.opened(wallet), try await evaluator.opened(wallet))
    let later = try await adoption(evaluator, wallet, second, sequence: 20)
    assertAdopted(later)
    for sequence in [UInt64(19), 20] {
      let early = try await adoption(evaluator, wallet, first, sequence: sequence)
      XCTAssertEqual(early, .sequenceRefused(current: 20))
    }
    wallet.sequence = 20
    let kept = try await evaluator.attempt(wallet, second.half.key)
    XCTAssertEqual(try kept.standing.attempts, 1)
  }

  func testTheWalletOfAnotherProviderStays() async throws {
    let evaluator = try evaluator()
    let hardware = TestHardwareKey.makeP256()
    let (own, other) = (TestWallet(hardware), TestWallet(hardware, audience: "another"))
    let key = try await evaluator.adopted(own)
    try await wrongPins(2, evaluator, own, key)
    let others = try await evaluator.adopted(other)
    let first = try await evaluator.attempt(other, others)
    XCTAssertEqual(try first.standing.attempts, 1)
    let third = try await evaluator.attempt(own, key)
    XCTAssertEqual(try third.standing.attempts, 3)
  }

  /// The former row, put back by somebody who writes to the database, has fewer attempts.
  func testAFormerRowThatWasPutBackCountsAsItsLastRound() async throws {
    let evaluator = try evaluator()
    let wallet = TestWallet()
    let former = try await evaluator.adopted(wallet)
    keepRows()
    try await wrongPins(3, evaluator, wallet, former)
    try await moveOn(evaluator)
    putBack(former)
    let key = try await evaluator.adopted(wallet)
    let attempt = try await evaluator.attempt(wallet, key)
    XCTAssertEqual(try attempt.standing.attempts, lastRound + 1)
  }
}
