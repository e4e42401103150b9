import Foundation
import WalletEvaluator
import WalletProtocol
import WalletProvider
import XCTest

/// The paragraphs of the runbook on restores of one side alone and on what a deletion leaves.
class EvaluatorRestoreTests: EvaluatorRunbookTestCase {
  func testRestoreOfTheProviderAloneKeepsTheEvaluatorsCount() async throws {
    let harness = try await startedHarness()
    let guessed = try await TestWallet.confirmed(harness)
    let changed = try await TestWallet.confirmed(harness)
    let deleted = try await TestWallet.confirmed(harness)
    let former = changed.pinKeyID
    let tables = [StoredTable.wallet, .challenge]
    for table in tables { try harness.storeLocation.keepCopy(of: table) }

    for _ in 1...4 { _ = try await guessed.check("654123") }
    let change = TestWallet.newChange()
    assertValid(try await changed.prepareChange(from: "123654", to: "271828", change: change))
    let committed = try await changed.commitChange(change)
    XCTAssertEqual(committed, .pinChangeCommitted)
    let gone = try await deleted.delete()
    XCTAssertEqual(gone, .deleted)
    let later = try await TestWallet.confirmed(harness)
    for table in tables.reversed() { try harness.storeLocation.delete(table) }
    for table in tables { try harness.storeLocation.putBack(table) }

    let evaluator = try harness.secondEvaluator()
    let started = try await started(evaluator, harness)
    let blocked = try await guessed.check("123654", at: started.provider)
    XCTAssertEqual(blocked, .blocked(milliseconds: 60_000, counted: false))
    harness.clock.advance(60_000)
    let fifth = try await guessed.check("654123", at: started.provider)
    XCTAssertEqual(fifth, .wrong(attemptsLeft: 3, finalRound: false), "the second round")
    // After a change of the PIN neither opens.
    let new = await problem { try await changed.check("271828", at: started.provider) }
    XCTAssertEqual(new, .instructionRefused)
    changed.pinKeyID = former
    await assertFails { try await changed.check("123654", at: started.provider) }
    try await assertRegistersAnew(changed, started)
    await assertFails { try await deleted.check("123654", at: started.provider) }
    try await assertRegistersAnew(deleted, started)
    let unknown = try await later.check("123654", at: started.provider)
    XCTAssertEqual(unknown, .unknownWallet)
    try await register(later, at: started.provider)
  }

  func testRestoreOfTheEvaluatorAloneLetsEveryWalletBeginInItsLastRound() async throws {
    let harness = try await startedHarness()
    let guessed = try await TestWallet.confirmed(harness)
    let changed = try await TestWallet.confirmed(harness)
    let deleted = try await TestWallet.confirmed(harness)
    try backUpEvaluator(of: harness, to: "copy")
    let change = TestWallet.newChange()
    assertValid(try await changed.prepareChange(from: "123654", to: "271828", change: change))
    let committed = try await changed.commitChange(change)
    XCTAssertEqual(committed, .pinChangeCommitted)
    let gone = try await deleted.delete()
    XCTAssertEqual(gone, .deleted)
    let later = try await TestWallet.confirmed(harness)

    let restored = try await start("copy", harness)
    XCTAssertEqual(restored.findings, [.databaseReplaced])
    for left in [3, 2, 1] as [UInt32] {
      let outcome = try await guessed.check("654123", at: restored.provider)
      XCTAssertEqual(outcome, .wrong(attemptsLeft: left, finalRound: true))
    }
    let last = try await guessed.check("654123", at: restored.provider)
    XCTAssertEqual(last, .blockedPermanently(counted: true))
    let isUnblocked = try await restored.administration.unblock(guessed.id)
    XCTAssertTrue(isUnblocked)
    let anew = try await guessed.check("654123", at: restored.provider)
    XCTAssertEqual(anew, .wrong(attemptsLeft: 3, finalRound: false))

    for wallet in [changed, later] {
      await assertFails { try await wallet.check("123654", at: restored.provider) }
      await assertFails { try await restored.administration.unblock(wallet.id) }
      try await assertRegistersAnew(wallet, restored)
    }
    let unknown = try await deleted.check("123654", at: restored.provider)
    XCTAssertEqual(unknown, .unknownWallet)
  }

  func testWipeOfAWalletDeletesItsRowAtTheEvaluatorToo() async throws {
    let harness = try await startedHarness()
    let started = try await started(harness.evaluator, harness)
    let (own, operators) = (
      try await TestWallet.confirmed(harness), try await TestWallet.confirmed(harness)
    )
    for wallet in [own, operators] {
      let isKnown = try await harness.evaluator.unblock(key: try XCTUnwrap(wallet.pinKeyID))
      XCTAssertTrue(isKnown)
    }
    let deleted = try await own.delete()
    XCTAssertEqual(deleted, .deleted)
    let isDeleted = try await started.administration.delete(operators.id)
    XCTAssertTrue(isDeleted)
    for wallet in [own, operators] {
      let isKnown = try await harness.evaluator.unblock(key: try XCTUnwrap(wallet.pinKeyID))
      XCTAssertFalse(isKnown)
    }
  }
}
