import WalletAttempts
import WalletProtocol
import WalletProvider
import WalletSignatures
import XCTest

/// Messages of a PIN change that are refused, repeated or late, and rows that were changed: none of
/// them sets a PIN.
class PinChangeRefusalTests: PinChangeTestCase {
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
    wallet.harness.clock.advance(120_000)
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
