import Foundation
import ServerTestSupport
import WalletProtocol
import WalletProvider
import WalletProviderSQLite
import WalletSignatures
import XCTest

class RegistrationTests: StoreTestCase {
  func testBothKindsOfHardwareKeyRegisterConfirmAndUnlock() async throws {
    let harness = try ProviderHarness()
    for key in [TestHardwareKey.makeEd25519(), .makeP256()] {
      let wallet = TestWallet(harness, hardware: key)
      let certificate = try await wallet.register()
      XCTAssertEqual(certificate.registration, wallet.registration)
      XCTAssertEqual(certificate.hardwareKeyHash, sha256Text(key.der))
      XCTAssertEqual(certificate.issuer, harness.configuration.providerID)
      XCTAssertEqual(certificate.issuedAt, harness.clock.now / 1000)
      XCTAssertFalse(certificate.attested)
      let confirmed = try await wallet.confirm()
      XCTAssertEqual(confirmed, .confirmed)
      let again = try await wallet.confirm()
      XCTAssertEqual(again, .confirmed)
      let share = try await wallet.checkRight()
      XCTAssertEqual(share, wallet.share)
      XCTAssertEqual(share?.count, 32)
    }
  }

  func testDatabaseContainsNeitherPinKeyNorShare() async throws {
    let wallet = try await TestWallet.confirmed(try ProviderHarness())
    _ = try await wallet.checkRight()
    let pinKey = try TestPinKey(pin: "123654", salt: wallet.salt).publicKey
    let content = try wallet.harness.dump()
    XCTAssertNotNil(content.range(of: Data(wallet.id.utf8)))
    XCTAssertNil(content.range(of: Data(pinKey)))
    XCTAssertNil(content.range(of: Data(wallet.share)))
    XCTAssertNil(content.range(of: Data(Base64URL.encode(pinKey).utf8)))
  }

  func testRepeatedUnconfirmedRegistrationReplacesPinAndShareAndKeepsTheWallet() async throws {
    let wallet = TestWallet(try ProviderHarness())
    try await wallet.register(pin: "111222")
    let (id, share) = (wallet.id, wallet.share)
    try await wallet.register(pin: "123654")
    XCTAssertEqual(wallet.id, id)
    XCTAssertNotEqual(wallet.share, share)
    _ = try await wallet.confirm()
    let old = try await wallet.check("111222")
    XCTAssertEqual(old, .wrong(attemptsLeft: 3, finalRound: false))
    let unlocked = try await wallet.checkRight()
    XCTAssertEqual(unlocked, wallet.share)
  }

  func testWalletStartsWithTheSequenceOfItsRegistration() async throws {
    let wallet = TestWallet(try ProviderHarness())
    wallet.sequence = 41
    try await wallet.register()
    let outcome = try await wallet.send(
      wallet.prepareChallenge(.checkPin, sequence: 43))
    XCTAssertEqual(outcome, .sequenceRefused(current: 43))
  }

  func testDelayedRegistrationDoesNotReplaceALaterOne() async throws {
    let harness = try ProviderHarness()
    let wallet = TestWallet(harness)
    let early = try await wallet.registrationChallenge()
    let late = try await wallet.registrationChallenge()
    let first = try wallet.preparePin(.register, pin: "123654", challenge: early)
    let second = try wallet.preparePin(.register, pin: "654123", challenge: late)
    guard case .registered = try await wallet.send(second) else { return XCTFail("refused") }
    let before = try await harness.store.walletCounts()
    guard case .sequenceRefused = try await wallet.send(first) else {
      return XCTFail("the early one replaced the late one")
    }
    let after = try await harness.store.walletCounts()
    XCTAssertEqual(before.pending, after.pending)
  }

  func testRegistrationsAfterTheConfirmationGetOneAnswerWhateverThePin() async throws {
    let wallet = try await TestWallet.confirmed(try ProviderHarness())
    let before = try await wallet.harness.stored(wallet)
    let challenge = try await wallet.registrationChallenge()
    let requests = [
      try wallet.preparePin(.register, pin: "123654", challenge: challenge),
      try wallet.preparePin(.register, pin: "654123", challenge: challenge),
      try wallet.preparePin(.register, pin: "1", challenge: challenge, tamperSealed: { $0 = [] }),
      try wallet.preparePin(.register, pin: "1", challenge: Base64URL.encode(wallet.share)),
    ]
    for request in requests {
      let outcome = try await wallet.send(request)
      XCTAssertEqual(outcome, .alreadyRegistered)
    }
    let after = try await wallet.harness.stored(wallet)
    XCTAssertEqual(before, after)
    XCTAssertEqual(wallet.harness.observer.all, [])
  }

  func testRefusesARegistrationWithInvalidSignatures() async throws {
    let harness = try ProviderHarness()
    let wallet = TestWallet(harness)
    let challenge = try await wallet.registrationChallenge()
    let stranger = Base64URL.encode(TestHardwareKey.makeEd25519().der)
    let forged = try wallet.preparePin(
      .register, pin: "1", challenge: challenge, tamperOuter: { $0.hardwareKey = stranger })
    let forgedKind = await problem { try await wallet.send(forged) }
    XCTAssertEqual(forgedKind, .signatureInvalid)
    let swapped = try wallet.preparePin(
      .register, pin: "1", challenge: challenge, tamperInner: { $0.hardwareKey = stranger })
    let swappedKind = await problem { try await wallet.send(swapped) }
    XCTAssertEqual(swappedKind, .instructionRefused)
    let nameless = try wallet.preparePin(
      .register, pin: "1", challenge: challenge, tamperOuter: { $0.hardwareKey = nil })
    let namelessKind = await problem { try await wallet.send(nameless) }
    XCTAssertEqual(namelessKind, .malformedRequest)
    for (key, kind) in [(stranger, ProblemKind.signatureInvalid), (nil, .malformedRequest)] {
      let asked = try wallet.prepareRegistrationChallenge(tamperClaims: { $0.hardwareKey = key })
      let refused = await problem { try await wallet.send(asked) }
      XCTAssertEqual(refused, kind)
    }
    let counts = try await harness.store.walletCounts()
    XCTAssertEqual(counts.pending + counts.confirmed, 0)
  }

  func testRetransmittedRegistrationMakesOneWalletAndOneAnswer() async throws {
    let harness = try ProviderHarness()
    let wallet = TestWallet(harness)
    let challenge = try await wallet.registrationChallenge()
    let request = try wallet.preparePin(.register, pin: "123654", challenge: challenge)
    let first = try await harness.provider.answer(.register, body: request.body)
    let second = try await harness.provider.answer(.register, body: request.body)
    XCTAssertEqual(first, second)
    let counts = try await harness.store.walletCounts()
    XCTAssertEqual(counts.pending, 1)
    let other = try wallet.preparePin(.register, pin: "123654", challenge: challenge)
    let kind = await problem { try await wallet.send(other) }
    XCTAssertEqual(kind, .challengeUsed)
  }

  func testUnconfirmedRegistrationExpires() async throws {
    let harness = try ProviderHarness()
    let wallet = TestWallet(harness)
    try await wallet.register()
    harness.clock.advance(harness.settings.unconfirmedLife)
    let outcome = try await wallet.send(
      wallet.prepareChallenge(.checkPin))
    XCTAssertEqual(outcome, .unknownWallet)
    try await harness.provider.deleteEndedRows()
    let counts = try await harness.store.walletCounts()
    XCTAssertEqual(counts.pending, 0)
  }

  func testDeletedWalletIsUnknownAndItsKeyMayRegisterAgain() async throws {
    let harness = try ProviderHarness()
    let wallet = try await TestWallet.confirmed(harness)
    let id = wallet.id
    let challenge = try await wallet.challenge(for: .deleteWallet)
    let request = try wallet.preparePlain(.deleteWallet, EmptyPayload(), challenge: challenge)
    let outcome = try await wallet.send(request)
    XCTAssertEqual(outcome, .deleted)
    let again = try await wallet.send(request)
    XCTAssertEqual(again, .unknownWallet)
    try await wallet.register()
    XCTAssertNotEqual(wallet.id, id)
  }

  func testChallengesOfRegistrationsAreNotStoredAndExpire() async throws {
    let harness = try ProviderHarness()
    let wallet = TestWallet(harness)
    var challenges: Set<String> = []
    for _ in 1...20 {
      let outcome = try await wallet.send(wallet.prepareRegistrationChallenge())
      guard case .challenge(let challenge, let life, let evaluation?, _?) = outcome else {
        return XCTFail("\(outcome)")
      }
      XCTAssertEqual(Base64URL.decode(challenge)?.count, 32)
      XCTAssertEqual(life, 120_000)
      XCTAssertNotNil(evaluation.evaluator.grant)
      XCTAssertNotNil(evaluation.publicValue)
      challenges.insert(challenge)
    }
    XCTAssertEqual(challenges.count, 20)
    let hasRows = try await harness.store.transaction { try $0.hasEndedRows(by: .max) }
    XCTAssertFalse(hasRows)
    let late = try XCTUnwrap(challenges.popFirst())
    let timely = try XCTUnwrap(challenges.popFirst())
    harness.clock.advance(119_999)
    let registered = try await wallet.send(
      wallet.preparePin(.register, pin: "123654", challenge: timely))
    try wallet.accept(registered)
    harness.clock.advance(1)
    let kind = await problem {
      try await wallet.send(wallet.preparePin(.register, pin: "123654", challenge: late))
    }
    XCTAssertEqual(kind, .challengeRefused)
  }

  func testRefusesAChallengeThatTheProviderDidNotMake() async throws {
    let harness = try ProviderHarness()
    let wallet = TestWallet(harness)
    let text = try await wallet.registrationChallenge()
    let made = try XCTUnwrap(Base64URL.decode(text))
    var forged = made.indices.map { index in
      var challenge = made
      challenge[index] ^= 1
      return Base64URL.encode(challenge)
    }
    forged.append(try await TestWallet(try ProviderHarness()).registrationChallenge())
    forged.append(Base64URL.encode([UInt8](repeating: 0, count: 32)))
    for challenge in forged {
      wallet.registrationStates[challenge] = wallet.registrationStates[text]
      let kind = await problem {
        try await wallet.send(wallet.preparePin(.register, pin: "123654", challenge: challenge))
      }
      XCTAssertEqual(kind, .challengeRefused)
    }
    // Nor is it one for a confirmed wallet's instructions.
    let other = try await TestWallet.confirmed(harness)
    let kind = await problem {
      try await other.send(other.preparePin(.checkPin, pin: "123654", challenge: text))
    }
    XCTAssertEqual(kind, .challengeRefused)
  }

  func testOneChallengeIsGoodForOneRegistration() async throws {
    let harness = try ProviderHarness()
    let wallet = TestWallet(harness)
    let challenge = try await wallet.registrationChallenge()
    let requests = try (1...8).map { _ in
      try wallet.preparePin(.register, pin: "123654", challenge: challenge)
    }
    let second = try harness.secondProvider()
    let kinds = await withTaskGroup(of: ProblemKind?.self) { group in
      for (number, request) in requests.enumerated() {
        group.addTask {
          do {
            _ = try await (number % 2 == 0 ? harness.provider : second)
              .answer(.register, body: request.body)
            return nil
          } catch { return (error as? ProblemError)?.problem.kind ?? .unavailable }
        }
      }
      return await group.reduce(into: [ProblemKind?]()) { $0.append($1) }
    }
    XCTAssertEqual(kinds.filter { $0 == nil }.count, 1)
    XCTAssertEqual(kinds.filter { $0 == .challengeUsed }.count, 7)
    let counts = try await harness.store.walletCounts()
    XCTAssertEqual(counts.pending, 1)
  }

  func testARegistrationSentAgainMakesNoSecondWalletAfterADeletion() async throws {
    let harness = try ProviderHarness()
    let wallet = TestWallet(harness)
    let challenge = try await wallet.registrationChallenge()
    let request = try wallet.preparePin(.register, pin: "123654", challenge: challenge)
    try wallet.accept(try await wallet.send(request))
    _ = try await wallet.confirm()
    let deleted = try await wallet.delete()
    XCTAssertEqual(deleted, .deleted)
    for delay: Int64 in [0, 119_999, 1] {
      harness.clock.advance(delay)
      let kind = await problem { try await wallet.send(request) }
      XCTAssertEqual(kind, delay == 1 ? .challengeRefused : .challengeUsed)
    }
    let counts = try await harness.store.walletCounts()
    XCTAssertEqual(counts.pending + counts.confirmed, 0)
  }

  func testAChallengeIsBoundToItsHardwareKeyAndItsState() async throws {
    let harness = try ProviderHarness()
    let (wallet, thief) = (TestWallet(harness), TestWallet(harness))
    let challenge = try await wallet.registrationChallenge()
    let later = try await wallet.registrationChallenge()
    let own = wallet.registrationStates[challenge]
    thief.registrationStates[challenge] = own
    thief.evaluations[challenge] = wallet.evaluations[challenge]
    let stolen = try thief.preparePin(.register, pin: "123654", challenge: challenge)
    let stolenKind = await problem { try await thief.send(stolen) }
    XCTAssertEqual(stolenKind, .challengeRefused)
    for state in [nil, "", ".", own.map { $0 + "A" }, wallet.registrationStates[later]] {
      wallet.registrationStates[challenge] = state
      let request = try wallet.preparePin(.register, pin: "123654", challenge: challenge)
      let kind = await problem { try await wallet.send(request) }
      XCTAssertEqual(kind, .challengeRefused, state ?? "none")
    }
    let counts = try await harness.store.walletCounts()
    XCTAssertEqual(counts.pending, 0)
    wallet.registrationStates[challenge] = own
    try wallet.accept(
      try await wallet.send(
        wallet.preparePin(.register, pin: "123654", challenge: challenge)))
  }

  func testARegistrationNamesTheEvaluationOfItsPin() async throws {
    let harness = try ProviderHarness()
    let wallet = TestWallet(harness)
    let challenge = try await wallet.registrationChallenge()
    let blinded = try TestWallet.newBlinded()
    let tampers: [(inout InstructionClaims) -> Void] = [
      { $0.evaluation = nil }, { $0.evaluation = "other" }, { $0.blinded = nil },
      { $0.blinded = blinded },
    ]
    for tamper in tampers {
      let request = try wallet.preparePin(
        .register, pin: "123654", challenge: challenge, tamperInner: tamper)
      let kind = await problem { try await wallet.send(request) }
      XCTAssertEqual(kind, .instructionRefused)
    }
    let counts = try await harness.store.walletCounts()
    XCTAssertEqual(counts.pending, 0)
  }

  func testARegistrationCommitsToItsPinKey() async throws {
    let wallet = TestWallet(try ProviderHarness())
    let challenge = try await wallet.registrationChallenge()
    for commitment in [nil, "", sha256Text(SecureRandom.bytes(64))] {
      let request = try wallet.preparePin(
        .register, pin: "123654", challenge: challenge,
        tamperOuter: { $0.pinKeyCommitment = commitment })
      let kind = await problem { try await wallet.send(request) }
      XCTAssertEqual(kind, .instructionRefused)
    }
    let outcome = try await wallet.send(
      wallet.preparePin(.register, pin: "123654", challenge: challenge))
    try wallet.accept(outcome)
  }

  func testRefusesARegistrationChallengeWithoutAGroupElement() async throws {
    let wallet = TestWallet(try ProviderHarness())
    let element = try TestWallet.newBlinded()
    let tampers: [(inout ChallengePayload) -> Void] = [
      { $0.blinded = nil }, { $0.blinded = "" }, { $0.blinded = "?" },
      { $0.blinded = String(element.dropLast(2)) }, { $0.blinded = element + "AA" },
      // The identity, and no element at all.
      { $0.blinded = Base64URL.encode([UInt8](repeating: 0, count: 32)) },
      { $0.blinded = Base64URL.encode([UInt8](repeating: 255, count: 32)) },
      { $0.key = "key" }, { $0.instruction = .checkPin },
    ]
    for (number, tamper) in tampers.enumerated() {
      let request = try wallet.prepareRegistrationChallenge(tamper: tamper)
      let kind = await problem { try await wallet.send(request) }
      XCTAssertEqual(kind, .instructionRefused, "payload \(number)")
    }
  }

  func testGivesAWalletNoChallengeForRegisterOrChallenge() async throws {
    let wallet = try await TestWallet.confirmed(try ProviderHarness())
    for instruction in [InstructionName.register, .challenge] {
      let request = try wallet.preparePlain(
        .challenge, ChallengePayload(instruction: instruction), challenge: nil)
      let kind = await problem { try await wallet.send(request) }
      XCTAssertEqual(kind, .instructionRefused)
    }
  }
}
