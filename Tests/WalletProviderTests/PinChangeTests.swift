import WalletAttempts
import WalletProtocol
import WalletProvider
import WalletProviderSQLite
import WalletSignatures
import XCTest

/// A PIN change in two phases: after the first both PINs are accepted, after the second, or the use
/// of the new PIN, only the new one.
class PinChangeTests: StoreTestCase {
  private let pin = "123654"
  private let newPin = "271828"
  private let wrongPin = "654123"

  private func assertValid(
    _ outcome: InstructionOutcome, file: StaticString = #filePath, line: UInt = #line
  ) {
    guard case .valid = outcome else { return XCTFail("\(outcome)", file: file, line: line) }
  }

  /// - Parameters:
  ///   - pins: the PINs that are accepted. The use of a new PIN commits its change, so it comes last.
  ///   - untried: accepted PINs that are not used.
  private func assertAccepted(
    _ pins: [String], untried: [String] = [], _ wallet: TestWallet,
    file: StaticString = #filePath, line: UInt = #line
  ) async throws {
    for other in [pin, newPin, wrongPin, "424243"] where !(pins + untried).contains(other) {
      let outcome = try await wallet.check(other)
      XCTAssertEqual(
        outcome, .wrong(attemptsLeft: 3, finalRound: false), other, file: file, line: line)
      // The right PINs reset the attempts.
      assertValid(try await wallet.check(try XCTUnwrap(pins.first)), file: file, line: line)
    }
    for pin in pins { assertValid(try await wallet.check(pin), file: file, line: line) }
  }

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

  func testRefusesAPreparationWithoutProofWhateverThePin() async throws {
    let wallet = try await TestWallet.confirmed(try ProviderHarness())
    let other = try TestPinKey(pin: "999888", salt: [1])
    let change = TestWallet.newChange()
    let notBegun = try wallet.prepareChange(
      from: pin, to: newPin, change: change,
      challenge: try await wallet.challenge(for: .preparePinChange))
    let early = await problem { try await wallet.send(notBegun) }
    XCTAssertEqual(early, .instructionRefused)
    assertValid(try await wallet.beginChange(from: pin, to: newPin, change: change))
    let challenge = try await wallet.challenge(for: .preparePinChange)
    let elsewhere = try await wallet.challenge(for: .deleteWallet)
    let (key, blinded) = (wallet.pinKeyID, try TestWallet.newBlinded())
    let tampered: [(inout PinChangePayload) -> Void] = [
      { $0.newPinPublicKey = Base64URL.encode(other.publicKey) }, { $0.newPinPublicKey = "" },
      { $0.proof = "" }, { $0.proof += "A" }, { $0.change = TestWallet.newChange() },
      { $0.change = "" }, { $0.shareRecipient = "" },
    ]
    let tamperedProofs: [(inout NewPinKeyProof) -> Void] = [
      { $0.wallet = "other" }, { $0.audience = "other" }, { $0.challenge = elsewhere },
      { $0.change = TestWallet.newChange() }, { $0.version = 1 }, { $0.evaluation = "other" },
      { $0.evaluation = key ?? "" }, { $0.blinded = "" }, { $0.blinded = blinded },
    ]
    for pin in [pin, wrongPin] {
      func assertRefused(_ request: TestWallet.Prepared, _ what: String) async {
        let kind = await problem { try await wallet.send(request) }
        XCTAssertEqual(kind, .instructionRefused, what)
      }
      for (number, tamper) in tampered.enumerated() {
        await assertRefused(
          try wallet.prepareChange(
            from: pin, to: newPin, change: change, challenge: challenge, tamper: tamper),
          "payload \(number)")
      }
      for (number, tamper) in tamperedProofs.enumerated() {
        await assertRefused(
          try wallet.prepareChange(
            from: pin, to: newPin, change: change, challenge: challenge, tamperProof: tamper),
          "proof \(number)")
      }
      await assertRefused(
        try wallet.prepareChange(
          from: pin, to: newPin, change: change, challenge: challenge,
          proofType: .pinInstruction), "type")
      for commitment in [nil, "", sha256Text(SecureRandom.bytes(64))] {
        await assertRefused(
          try wallet.prepareChange(
            from: pin, to: newPin, change: change, challenge: challenge,
            tamperOuter: { $0.pinKeyCommitment = commitment }), "commitment")
      }
      await assertRefused(
        try wallet.preparePin(.preparePinChange, pin: pin, challenge: challenge), "no change")
    }
    let wrong = try wallet.prepareChange(
      from: wrongPin, to: newPin, change: change, challenge: challenge)
    let kind = await problem { try await wallet.send(wrong) }
    XCTAssertEqual(kind, .instructionRefused, "not signed by the key of the PIN in force")
    XCTAssertEqual(wallet.harness.observer.all, [.right])
    let stored = try await wallet.harness.stored(wallet)
    XCTAssertEqual(stored?.attempts, AttemptState())
    XCTAssertNotNil(stored?.pending)
    XCTAssertNil(stored?.pending?.sealedKey)
    assertValid(
      try await wallet.send(
        wallet.prepareChange(from: pin, to: newPin, change: change, challenge: challenge)))
  }

  func testRefusesABeginningWithoutChangeOrNewPinWhateverThePin() async throws {
    let wallet = try await TestWallet.confirmed(try ProviderHarness())
    let challenge = try await wallet.challenge(for: .beginPinChange)
    let before = try await wallet.harness.stored(wallet)
    let tampered: [(inout PinChangeBeginning) -> Void] = [
      { $0.change = "" }, { $0.change = "?" }, { $0.change += "AA" }, { $0.shareRecipient = "" },
    ]
    let tamperedClaims: [(inout InstructionClaims) -> Void] = [
      { $0.newBlinded = nil }, { $0.newBlinded = "" }, { $0.newBlinded = "?" },
      { $0.newBlinded = Base64URL.encode([UInt8](repeating: 0, count: 32)) },
    ]
    for pin in [pin, wrongPin] {
      var requests = try tampered.map {
        try wallet.prepareBeginning(
          from: pin, to: newPin, change: TestWallet.newChange(), challenge: challenge, tamper: $0)
      }
      requests += try tamperedClaims.map {
        try wallet.prepareBeginning(
          from: pin, to: newPin, change: TestWallet.newChange(), challenge: challenge,
          tamperInner: $0)
      }
      requests.append(try wallet.preparePin(.beginPinChange, pin: pin, challenge: challenge))
      for (number, request) in requests.enumerated() {
        let kind = await problem { try await wallet.send(request) }
        XCTAssertEqual(kind, .instructionRefused, "request \(number)")
      }
    }
    let after = try await wallet.harness.stored(wallet)
    XCTAssertEqual(after, before)
    XCTAssertEqual(wallet.harness.observer.all, [])
    assertValid(
      try await wallet.send(
        wallet.prepareBeginning(
          from: pin, to: newPin, change: TestWallet.newChange(), challenge: challenge)))
  }

  func testTheKeyOfANewPinEvaluatesNothingUntilItIsPrepared() async throws {
    let wallet = try await TestWallet.confirmed(try ProviderHarness())
    let change = TestWallet.newChange()
    assertValid(try await wallet.beginChange(from: pin, to: newPin, change: change))
    let early = await problem { try await wallet.check(newPin) }
    XCTAssertEqual(early, .instructionRefused)
    let committed = try await wallet.commitChange(change)
    XCTAssertEqual(committed, .unknownPinChange)
    let key = try XCTUnwrap(wallet.pendingPin?.evaluated.key)
    let cancelled = try await wallet.cancelChange(change)
    XCTAssertEqual(cancelled, .pinChangeCancelled)
    let asked = try wallet.preparePlain(
      .challenge,
      ChallengePayload(instruction: .checkPin, key: key, blinded: try TestWallet.newBlinded()),
      challenge: nil)
    let late = await problem { try await wallet.send(asked) }
    XCTAssertEqual(late, .instructionRefused)
    try await assertAccepted([pin], wallet)
  }

  func testReplayGetsTheSameAnswerAndPreparesNothing() async throws {
    let wallet = try await TestWallet.confirmed(try ProviderHarness())
    let change = TestWallet.newChange()
    assertValid(try await wallet.beginChange(from: pin, to: newPin, change: change))
    let request = try wallet.prepareChange(
      from: pin, to: newPin, change: change,
      challenge: try await wallet.challenge(for: .preparePinChange))
    let first = try await wallet.send(request)
    _ = try await wallet.cancelChange(change)
    let again = try await wallet.send(request)
    XCTAssertEqual(again, first)
    try await assertAccepted([pin], wallet)
    wallet.harness.clock.advance(60_000)
    let kind = await problem { try await wallet.send(request) }
    XCTAssertEqual(kind, .challengeRefused)
  }

  func testRefusesADelayedPreparationAfterItsCancellation() async throws {
    let wallet = try await TestWallet.confirmed(try ProviderHarness())
    let change = TestWallet.newChange()
    assertValid(try await wallet.beginChange(from: pin, to: newPin, change: change))
    let held = try wallet.prepareChange(
      from: pin, to: newPin, change: change,
      challenge: try await wallet.challenge(for: .preparePinChange))
    _ = try await wallet.cancelChange(change)
    let outcome = try await wallet.send(held)
    XCTAssertEqual(outcome, .sequenceRefused(current: wallet.sequence))
    try await assertAccepted([pin], wallet)
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

  func testPendingKeyIsBoundToItsWalletChangeAndPurpose() async throws {
    let harness = try ProviderHarness()
    let wallet = try await TestWallet.confirmed(harness)
    let other = try await TestWallet.confirmed(harness)
    for one in [wallet, other] {
      assertValid(
        try await one.prepareChange(from: pin, to: newPin, change: TestWallet.newChange()))
    }
    let stored = try await harness.stored(wallet)
    let row = try XCTUnwrap(stored)
    let pending = try XCTUnwrap(row.pending)
    let pendingKey = try XCTUnwrap(pending.sealedKey)
    let foreignRow = try await harness.stored(other)
    let foreign = try XCTUnwrap(foreignRow?.pending)
    let swaps: [(inout StoredWallet) -> Void] = [
      { $0.sealedPinKey = pendingKey },
      { $0.pending?.sealedKey = row.sealedPinKey },
      { $0.pending?.sealedKey = row.sealedShare },
      {
        $0.pending = foreign
        $0.pending?.pinKeyID = pending.pinKeyID
      },
      { $0.pending?.sealedHalf = row.sealedHalf },
      { $0.pending?.sealedHalf = pendingKey },
      { $0.pending?.change = TestWallet.newChange() },
    ]
    for (number, swap) in swaps.enumerated() {
      var swapped = row
      swap(&swapped)
      let sequence = wallet.sequence
      swapped.sequence = sequence
      try await harness.store.transaction { [swapped] in try $0.update(swapped) }
      do {
        let outcome = try await wallet.check(newPin)
        XCTFail("swap \(number): \(outcome)")
      } catch is StoreFailure {}
    }
  }
}
