import WalletAttempts
import WalletProtocol
import WalletProvider
import XCTest

/// A PIN change in two phases: after the first both PINs are accepted, after the second, or the use
/// of the new PIN, only the new one.
class PinChangeTests: PinChangeTestCase {
  func testAcceptsBothPinsUntilTheNewOneIsUsedAndOnlyTheNewOneAfterIt() async throws {
    let wallet = try await TestWallet.confirmed(try ProviderHarness())
    let change = TestWallet.newChange()
    let prepared = try await wallet.prepareChange(from: pin, to: newPin, change: change)
    guard case .valid(let share, _, _) = prepared else { return XCTFail("\(prepared)") }
    XCTAssertEqual(wallet.shareKey.open(share), wallet.share)
    try await assertAccepted([pin, newPin], wallet)
    try await assertAccepted([newPin], wallet)
    let committed = try await wallet.commitChange(change)
    XCTAssertEqual(committed, .pinChangeCommitted)
    try await assertAccepted([newPin], wallet)
    let share2 = try await wallet.checkRight(pin: newPin)
    XCTAssertEqual(share2, wallet.share, "the vault stays the same")
  }

  func testCommitIsRepeatableAndAnUnknownChangeIsReported() async throws {
    let wallet = try await TestWallet.confirmed(try ProviderHarness())
    let change = TestWallet.newChange()
    let early = try await wallet.commitChange(change)
    XCTAssertEqual(early, .unknownPinChange)
    assertValid(try await wallet.prepareChange(from: pin, to: newPin, change: change))
    let other = try await wallet.commitChange(TestWallet.newChange())
    XCTAssertEqual(other, .unknownPinChange)
    for _ in 1...3 {
      let outcome = try await wallet.commitChange(change)
      XCTAssertEqual(outcome, .pinChangeCommitted)
    }
    try await assertAccepted([newPin], wallet)
  }

  func testCancelledChangeLeavesOnlyTheFormerPin() async throws {
    let wallet = try await TestWallet.confirmed(try ProviderHarness())
    let change = TestWallet.newChange()
    assertValid(try await wallet.prepareChange(from: pin, to: newPin, change: change))
    let stranger = try await wallet.cancelChange(TestWallet.newChange())
    XCTAssertEqual(stranger, .pinChangeCancelled)
    try await assertAccepted([pin], untried: [newPin], wallet)
    for _ in 1...2 {
      let outcome = try await wallet.cancelChange(change)
      XCTAssertEqual(outcome, .pinChangeCancelled)
    }
    try await assertAccepted([pin], wallet)
    let late = try await wallet.commitChange(change)
    XCTAssertEqual(late, .unknownPinChange)
    try await assertAccepted([pin], wallet)
  }

  func testCommittedChangeCannotBeCancelledOrReused() async throws {
    let wallet = try await TestWallet.confirmed(try ProviderHarness())
    let change = TestWallet.newChange()
    assertValid(try await wallet.prepareChange(from: pin, to: newPin, change: change))
    _ = try await wallet.commitChange(change)
    let cancelled = try await wallet.cancelChange(change)
    XCTAssertEqual(cancelled, .pinChangeCommitted)
    try await assertAccepted([newPin], wallet)
    let kind = await problem {
      try await wallet.prepareChange(from: newPin, to: pin, change: change)
    }
    XCTAssertEqual(kind, .instructionRefused)
  }

  func testLaterPreparationReplacesAnEarlierOne() async throws {
    let wallet = try await TestWallet.confirmed(try ProviderHarness())
    let (first, second) = (TestWallet.newChange(), TestWallet.newChange())
    assertValid(try await wallet.prepareChange(from: pin, to: "424243", change: first))
    assertValid(try await wallet.prepareChange(from: pin, to: newPin, change: second))
    try await assertAccepted([pin, newPin], wallet)
    let outcome = try await wallet.commitChange(first)
    XCTAssertEqual(outcome, .unknownPinChange)
  }

  func testPreparationWithAPendingPinKeepsThatPin() async throws {
    let wallet = try await TestWallet.confirmed(try ProviderHarness())
    let (first, second) = (TestWallet.newChange(), TestWallet.newChange())
    assertValid(try await wallet.prepareChange(from: pin, to: newPin, change: first))
    assertValid(try await wallet.prepareChange(from: newPin, to: "424243", change: second))
    // Its answer may be lost: the wallet then continues with the PIN it had.
    try await assertAccepted([newPin], untried: ["424243"], wallet)
    let outcome = try await wallet.commitChange(first)
    XCTAssertEqual(outcome, .pinChangeCommitted)
    try await assertAccepted([newPin, "424243"], wallet)
  }

  func testWrongPinCountsInTheSameCounterAndPreparesNothing() async throws {
    let wallet = try await TestWallet.confirmed(try ProviderHarness())
    var outcomes: [InstructionOutcome] = []
    for _ in 1...2 {
      outcomes.append(try await wallet.check(wrongPin))
      outcomes.append(
        try await wallet.prepareChange(
          from: wrongPin, to: newPin, change: TestWallet.newChange()))
    }
    XCTAssertEqual(
      outcomes,
      [
        .wrong(attemptsLeft: 3, finalRound: false), .wrong(attemptsLeft: 2, finalRound: false),
        .wrong(attemptsLeft: 1, finalRound: false), .blocked(milliseconds: 60_000, counted: true),
      ])
    XCTAssertEqual(wallet.harness.observer.all, [.wrong, .wrong, .wrong, .blocked])
    let stored = try await wallet.harness.stored(wallet)
    XCTAssertNil(stored?.pending)
    // During the block no PIN is checked, right or wrong.
    for pin in [pin, wrongPin] {
      let outcome = try await wallet.prepareChange(
        from: pin, to: newPin, change: TestWallet.newChange())
      XCTAssertEqual(outcome, .blocked(milliseconds: 60_000, counted: false))
    }
    wallet.harness.clock.advance(60_000)
    assertValid(
      try await wallet.prepareChange(from: pin, to: newPin, change: TestWallet.newChange()))
    let after = try await wallet.harness.stored(wallet)
    XCTAssertEqual(after?.attempts.wrongAttempts, 0, "a right PIN resets the count")
    XCTAssertNil(after?.attempts.block)
  }

  func testAttemptsWithBothKeysAreCountedTogether() async throws {
    let wallet = try await TestWallet.confirmed(try ProviderHarness())
    assertValid(
      try await wallet.prepareChange(from: pin, to: newPin, change: TestWallet.newChange()))
    for (left, other) in [(3, pin), (2, newPin), (1, pin)] as [(UInt32, String)] {
      // Evaluated with the key of another PIN each time.
      let challenge = try await wallet.challenge(for: .checkPin, pin: other)
      let outcome = try await wallet.send(
        wallet.preparePin(.checkPin, pin: wrongPin, challenge: challenge))
      XCTAssertEqual(outcome, .wrong(attemptsLeft: left, finalRound: false))
    }
    XCTAssertEqual(wallet.harness.observer.all, [.right, .wrong, .wrong, .wrong])
  }

  func testBlockedWalletCanCommitAndCancel() async throws {
    for ends in [InstructionOutcome.pinChangeCommitted, .pinChangeCancelled] {
      let wallet = try await TestWallet.confirmed(try ProviderHarness())
      let change = TestWallet.newChange()
      assertValid(try await wallet.prepareChange(from: pin, to: newPin, change: change))
      for _ in 1...4 { _ = try await wallet.check(wrongPin) }
      let outcome =
        ends == .pinChangeCommitted
        ? try await wallet.commitChange(change) : try await wallet.cancelChange(change)
      XCTAssertEqual(outcome, ends)
      let blocked = try await wallet.check(pin)
      XCTAssertEqual(blocked, .blocked(milliseconds: 60_000, counted: false))
      wallet.harness.clock.advance(60_000)
      try await assertAccepted([ends == .pinChangeCommitted ? newPin : pin], wallet)
    }
  }

  func testChangeOfAnotherWalletIsUnknownAndStays() async throws {
    let harness = try ProviderHarness()
    let wallet = try await TestWallet.confirmed(harness)
    let other = try await TestWallet.confirmed(harness)
    let change = TestWallet.newChange()
    assertValid(try await wallet.prepareChange(from: pin, to: newPin, change: change))
    let committed = try await other.commitChange(change)
    XCTAssertEqual(committed, .unknownPinChange)
    let cancelled = try await other.cancelChange(change)
    XCTAssertEqual(cancelled, .pinChangeCancelled)
    try await assertAccepted([pin, newPin], wallet)
    try await assertAccepted([pin], other)
  }

  func testNewRegistrationDropsAPendingPin() async throws {
    let wallet = TestWallet(try ProviderHarness())
    try await wallet.register()
    let change = TestWallet.newChange()
    assertValid(try await wallet.prepareChange(from: pin, to: newPin, change: change))
    try await wallet.register(pin: "424243")
    let stored = try await wallet.harness.stored(wallet)
    XCTAssertNil(stored?.pending)
    _ = try await wallet.confirm()
    try await assertAccepted(["424243"], wallet)
    let outcome = try await wallet.commitChange(change)
    XCTAssertEqual(outcome, .unknownPinChange)
  }
}
