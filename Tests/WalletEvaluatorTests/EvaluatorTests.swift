import Foundation
import ServerTestSupport
import Synchronization
import WalletAttempts
import WalletEvaluatorSQLite
import WalletOPRF
import WalletProtocol
import WalletSignatures
import XCTest

@testable import WalletEvaluator
@testable import WalletProviderStores

/// Opening a PIN key, evaluating with it, and the requests that are refused.
final class EvaluatorTests: EvaluatorTestCase {
  private func element(_ text: String) throws -> GroupElement {
    try GroupElement(serialized: try XCTUnwrap(Base64URL.decode(text)))
  }

  private func grant(_ half: HalfEvaluation) throws -> EvaluatorGrant {
    let key = try XCTUnwrap(try keys().grantKeys.first)
    let message = try SignedMessage(parsing: try XCTUnwrap(half.grant))
    XCTAssertEqual(message.keyID, key.id)
    let verifier = try XCTUnwrap(
      PublicKeyVerifier(ed25519: try XCTUnwrap(Base64URL.decode(key.key))))
    return try message.content(EvaluatorGrant.self, type: .evaluatorGrant, verifier: verifier)
  }

  private func holds(_ made: TestWallet.Made, _ publicValue: String) throws -> Bool {
    let proof = try EvaluationProof(
      serialized: try XCTUnwrap(Base64URL.decode(made.half.proof)))
    return try proof.holds(
      publicValue: try element(publicValue), blinded: try element(made.blinded),
      evaluated: try element(made.half.element))
  }

  func testAnOpenedKeyHasAGrantAndItsProofsHoldForTheGrantsPublicValue() async throws {
    for hardware in [TestHardwareKey.makeEd25519(), .makeP256()] {
      let evaluator = try evaluator()
      let wallet = TestWallet(hardware)
      let made = try await evaluator.opened(wallet)
      let grant = try grant(made.half)
      XCTAssertEqual(grant.version, wireVersion)
      XCTAssertEqual(grant.key, made.half.key)
      XCTAssertEqual(
        grant.hardwareKeyHash, Base64URL.encode(Digest.sha256(hardware.der)))
      XCTAssertTrue(try holds(made, grant.publicValue))

      let message = try wallet.message(
        .register, evaluation: made.half.evaluation, blinded: made.blinded)
      let adopted = try await evaluator.answer(
        .adopt(
          key: grant.key,
          adoption: try wallet.adoption(message: message, publicKey: wallet.pin.publicKey)))
      assertAdopted(adopted)
      let attempt = try await evaluator.begun(wallet, grant.key)
      XCTAssertEqual(attempt.half.key, grant.key)
      XCTAssertNil(attempt.half.grant)
      XCTAssertTrue(try holds(attempt, grant.publicValue))
      var other = attempt
      other.blinded = made.blinded
      XCTAssertFalse(try holds(other, grant.publicValue))
      let strangers = try self.grant(try await evaluator.opened(TestWallet()).half)
      XCTAssertFalse(try holds(attempt, strangers.publicValue))
    }
  }

  func testARepeatedOpeningGetsTheSameAnswerUntilTheFirstAttempt() async throws {
    let evaluator = try evaluator()
    let wallet = TestWallet()
    let request = try wallet.registration(try TestWallet.blinded())
    let first = try await evaluator.answer(.open(request: request))
    let second = try await evaluator.answer(.open(request: request))
    XCTAssertEqual(first, second)
    XCTAssertEqual(try first.standing.attempts, 0)

    let key = try await evaluator.adopted(TestWallet())
    XCTAssertNotEqual(key, try first.evaluation.key)
    let made = TestWallet.Made(
      blinded: try XCTUnwrap(ForwardedChallenge(request)?.payload.blinded),
      half: try first.evaluation)
    let message = try wallet.message(
      .register, evaluation: made.half.evaluation, blinded: made.blinded)
    let adopted = try await evaluator.answer(
      .adopt(
        key: made.half.key,
        adoption: try wallet.adoption(message: message, publicKey: wallet.pin.publicKey)))
    assertAdopted(adopted)
    _ = try await evaluator.begun(wallet, made.half.key)
    let third = try await evaluator.answer(.open(request: request))
    XCTAssertEqual(third, .refused)
  }

  func testAnOpeningIsRefusedUnlessItsOwnHardwareKeySignedIt() async throws {
    let evaluator = try evaluator()
    for wallet in [TestWallet(.makeEd25519()), TestWallet(.makeP256())] {
      let blinded = try TestWallet.blinded()
      let der = wallet.hardware.der
      let requests = [
        try wallet.challenge(
          for: .register, key: nil, blinded: blinded, hardwareKey: der, signer: .makeP256()),
        try wallet.challenge(
          for: .register, key: nil, blinded: blinded, hardwareKey: der, signer: .makeEd25519()),
        try wallet.challenge(for: .register, key: nil, blinded: blinded),
        try wallet.challenge(for: .register, key: nil, blinded: blinded, hardwareKey: [1, 2]),
        try wallet.challenge(for: .register, key: "key", blinded: blinded, hardwareKey: der),
        try wallet.challenge(for: .checkPin, key: nil, blinded: blinded, hardwareKey: der),
        try wallet.challenge(for: .register, key: nil, blinded: nil, hardwareKey: der),
        try wallet.challenge(for: .register, key: nil, blinded: "AAAA", hardwareKey: der),
        // The identity element.
        try wallet.challenge(
          for: .register, key: nil, blinded: Base64URL.encode([UInt8](repeating: 0, count: 32)),
          hardwareKey: der),
        try wallet.challenge(
          for: .register, key: nil, blinded: blinded, sequence: SequenceNumber.limit,
          hardwareKey: der),
        try wallet.challenge(
          for: .register, key: nil, blinded: blinded, hardwareKey: der, as: .register),
      ]
      for request in requests {
        let answer = try await evaluator.answer(.open(request: request))
        XCTAssertEqual(answer, .refused)
      }
      var moved = try wallet.registration(blinded)
      moved.payload = try wallet.registration(try TestWallet.blinded()).payload
      let answer = try await evaluator.answer(.open(request: moved))
      XCTAssertEqual(answer, .refused)
    }
  }

  func testARepetitionGetsTheSameEvaluationAndCountsOnce() async throws {
    let evaluator = try evaluator()
    let wallet = TestWallet(.makeEd25519())
    let key = try await evaluator.adopted(wallet)
    let request = try wallet.challenge(
      for: .checkPin, key: key, blinded: try TestWallet.blinded())
    let first = try await evaluator.answer(.evaluate(request: request))
    XCTAssertEqual(try first.standing.attempts, 1)
    for _ in 1...5 {
      let again = try await evaluator.answer(.evaluate(request: request))
      XCTAssertEqual(again, first)
    }
    let second = try await evaluator.attempt(wallet, key)
    XCTAssertEqual(try second.standing.attempts, 2)
    let old = try await evaluator.answer(.evaluate(request: request))
    XCTAssertEqual(old, .sequenceRefused(current: wallet.sequence))
  }

  func testANumberThatMayNotFollowIsRefusedAndNotCounted() async throws {
    let evaluator = try evaluator()
    let wallet = TestWallet()
    let key = try await evaluator.adopted(wallet)
    _ = try await evaluator.attempt(wallet, key)
    let current = wallet.sequence
    for number in [0, current - 1, current] {
      let request = try wallet.challenge(
        for: .checkPin, key: key, blinded: try TestWallet.blinded(), sequence: number)
      let answer = try await evaluator.answer(.evaluate(request: request))
      XCTAssertEqual(answer, .sequenceRefused(current: current), "\(number)")
    }
    wallet.sequence = current
    let count = try await evaluator.countNow(wallet, key)
    XCTAssertEqual(count, 1)
    // The provider, which sees all numbers, limits the step.
    wallet.sequence += SequenceNumber.longestStep + 1
    let far = try await evaluator.attempt(wallet, key)
    XCTAssertEqual(try far.standing.attempts, 3)
  }

  func testAnAttemptIsRefusedAndNotCountedUnlessTheWalletMadeIt() async throws {
    let evaluator = try evaluator()
    let wallet = TestWallet()
    let other = TestWallet()
    let key = try await evaluator.adopted(wallet)
    _ = try await evaluator.adopted(other)
    let blinded = try TestWallet.blinded()
    let requests = [
      try wallet.challenge(for: .checkPin, key: key, blinded: blinded, signer: other.hardware),
      try other.challenge(for: .checkPin, key: key, blinded: blinded),
      try wallet.challenge(for: .checkPin, key: key, blinded: blinded, audience: "another"),
      try wallet.challenge(for: .checkPin, key: nil, blinded: blinded),
      try wallet.challenge(for: .checkPin, key: key, blinded: nil),
      try wallet.challenge(for: .deleteWallet, key: key, blinded: blinded),
      try wallet.challenge(for: .preparePinChange, key: key, blinded: blinded),
      try wallet.challenge(for: .register, key: key, blinded: blinded),
      try wallet.challenge(for: .checkPin, key: key, blinded: blinded, as: .checkPin),
    ]
    for request in requests {
      let answer = try await evaluator.answer(.evaluate(request: request))
      XCTAssertEqual(answer, .refused)
    }
    let unknown = try await evaluator.attempt(wallet, "unknown")
    XCTAssertEqual(unknown, .unknownKey)
    let count = try await evaluator.countNow(wallet, key)
    XCTAssertEqual(count, 0)
  }

  func testEachKindOfAttemptIsEvaluatedAndCounted() async throws {
    let evaluator = try evaluator()
    let wallet = TestWallet()
    let key = try await evaluator.adopted(wallet)
    let attempts = InstructionName.allCases.filter(\.isAttempt)
    XCTAssertEqual(attempts.count, 4)
    for (number, instruction) in attempts.enumerated() {
      let request = try wallet.challenge(
        for: instruction, key: key, blinded: try TestWallet.blinded())
      let answer = try await evaluator.answer(.evaluate(request: request))
      XCTAssertEqual(try answer.standing.attempts, UInt64(number + 1))
    }
  }

  func testParallelEvaluationsAreEachCounted() async throws {
    let policy = try AttemptPolicy(rounds: 1, attemptsPerRound: 40, blockDurations: [])
    let evaluators = [try evaluator(policy: policy), try evaluator(policy: policy)]
    let wallet = TestWallet()
    let key = try await evaluators[0].adopted(wallet)
    // Of requests that overtake each other, some are refused for their number.
    let requests = try (1...20).map { _ in
      try wallet.challenge(for: .checkPin, key: key, blinded: try TestWallet.blinded())
    }
    let answers = try await withThrowingTaskGroup(of: EvaluatorAnswer.self) { group in
      for (index, request) in requests.enumerated() {
        group.addTask { try await evaluators[index % 2].answer(.evaluate(request: request)) }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    let counts = answers.compactMap { answer -> UInt64? in
      guard case .evaluated(_, let standing) = answer else { return nil }
      return standing.attempts
    }
    XCTAssertFalse(counts.isEmpty)
    XCTAssertEqual(counts.sorted(), Array(1...UInt64(counts.count)))
    let count = try await evaluators[1].countNow(wallet, key)
    XCTAssertEqual(count, UInt64(counts.count))
  }

  /// Processes that start together; each opens the file anew.
  func testOneOfManyThatOpenANewDatabaseTogetherMakesIt() throws {
    let failures = Mutex<[String]>([])
    for round in 1...30 {
      let path = directory + "/new-\(round)"
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
      let (keys, file) = (try keys(), EvaluatorRecordFile(directory: path))
      DispatchQueue.concurrentPerform(iterations: 6) { _ in
        do {
          _ = try SQLiteEvaluatorStore(
            path: path + "/evaluator.sqlite", keys: keys, file: file, machineTime: { 0 },
            report: { finding in failures.withLock { $0.append("\(finding)") } })
        } catch { failures.withLock { $0.append("\(error)") } }
      }
    }
    XCTAssertEqual(failures.withLock(\.self), [])
  }

  func testADeletedWalletIsUnknownAndMayBeDeletedAgain() async throws {
    let evaluator = try evaluator()
    let wallet = TestWallet()
    let key = try await evaluator.adopted(wallet)
    let made = try await evaluator.begun(wallet, key)
    for _ in 1...2 {
      let deleted = try await evaluator.answer(.delete(key: key))
      XCTAssertEqual(deleted, .done)
    }
    let attempt = try await evaluator.attempt(wallet, key)
    XCTAssertEqual(attempt, .unknownKey)
    let proven = try await evaluator.proven(wallet, made)
    XCTAssertEqual(proven, .unknownKey)
    let committed = try await evaluator.answer(.commit(key: key))
    XCTAssertEqual(committed, .unknownKey)
  }
}
