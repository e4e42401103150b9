import WalletCrypto
import WalletModel
import WalletOPRF
import WalletPlatform
import WalletProtocol
import XCTest

@testable import WalletAccount

/// The wallet keeps the public values of its PIN key from the moment at which it was made, and
/// derives nothing from an evaluation by another key.
final class PinKeyRecordTests: XCTestCase {
  private var evaluatorKey: Ed25519.SigningKey!
  private var bed: TestBed!
  private var evaluator: SecretScalar!
  private var provider: SecretScalar!
  private var pin: StretchedPin!

  override func setUpWithError() throws {
    evaluatorKey = try .init(seed: .random(count: 32), keyID: "evaluator-1")
    bed = try TestBed(
      resultKey: .init(seed: .random(count: 32), keyID: "result-1"), evaluatorKey: evaluatorKey)
    evaluator = try .random()
    provider = try .random()
    let digits = try Array("142032".utf8).withUnsafeBytes { try Pin(copying: $0) }
    pin = try PinKey.stretch(
      digits, salt: .random(count: PinKey.saltLength), parameters: .floor)
  }

  private func grant(_ change: (inout EvaluatorGrant) -> Void = { _ in }) throws -> EvaluatorGrant {
    var grant = EvaluatorGrant(
      key: "key-1", publicValue: Base64URL.encode(try evaluator.publicValue().serialized),
      hardwareKeyHash: Base64URL.encode(Hash.sha256(bed.client.hardwareKey.subjectKey.der)),
      grantKey: Base64URL.encode(evaluatorKey.publicKey))
    change(&grant)
    return grant
  }

  private func evaluation(
    of blinded: BlindedPin, grant: EvaluatorGrant? = nil, by key: Ed25519.SigningKey? = nil,
    type: SignedMessageType = .evaluatorGrant
  ) throws -> PinEvaluation {
    let element = try GroupElement(serialized: blinded.element)
    let half = try evaluator.evaluate(element)
    let last = try provider.evaluate(half)
    let proof = try EvaluationProof(key: evaluator, blinded: element, evaluated: half)
    let lastProof = try EvaluationProof(key: provider, blinded: half, evaluated: last)
    return PinEvaluation(
      evaluator: HalfEvaluation(
        key: "key-1", evaluation: "evaluation-1", element: Base64URL.encode(half.serialized),
        proof: Base64URL.encode(proof.serialized),
        grant: try grant.map {
          try SignedMessage.sign($0, type: type, signer: key ?? evaluatorKey)
        }),
      element: Base64URL.encode(last.serialized), proof: Base64URL.encode(lastProof.serialized),
      publicValue: Base64URL.encode(try provider.publicValue().serialized))
  }

  private func record(
    _ evaluation: PinEvaluation, replacing former: PinKeyRecord? = nil
  ) throws -> PinKeyRecord {
    try PinKeyRecord(
      granted: evaluation, to: bed.client.hardwareKey.subjectKey, replacing: former,
      by: bed.client, cancellation: Cancellation())
  }

  private func assertRefused<Value>(
    _ message: String, line: UInt = #line, _ body: () throws -> Value
  ) {
    XCTAssertThrowsError(try body(), message, line: line) {
      XCTAssertEqual(($0 as? WalletError)?.kind, .serverRefused, message, line: line)
    }
  }

  func testAGrantedKeyIsKeptAndItsLaterEvaluationsGiveTheSamePinKey() throws {
    let blinded = try pin.blinded()
    let first = try evaluation(of: blinded, grant: grant())
    let record = try record(first)
    XCTAssertEqual(record.key, "key-1")
    XCTAssertEqual(record.grantKey, "evaluator-1")
    let key = try record.secrets(of: blinded, first).key
    let again = try pin.blinded()
    XCTAssertEqual(
      try record.secrets(of: again, evaluation(of: again)).key.publicKey, key.publicKey)
  }

  func testAGrantThatIsNotForThisKeyAndThisHardwareKeyIsRefused() throws {
    let blinded = try pin.blinded()
    let changes: [(String, (inout EvaluatorGrant) -> Void)] = [
      ("version", { $0.version = 1 }), ("key", { $0.key = "key-2" }),
      ("hardware key", { $0.hardwareKeyHash = Base64URL.encode(Hash.sha256([1])) }),
    ]
    for (name, change) in changes {
      assertRefused(name) { try record(evaluation(of: blinded, grant: grant(change))) }
    }
    let stranger = try Ed25519.SigningKey(seed: .random(count: 32), keyID: "evaluator-1")
    assertRefused("another signer") {
      try record(evaluation(of: blinded, grant: grant(), by: stranger))
    }
    let unknown = try Ed25519.SigningKey(seed: .random(count: 32), keyID: "evaluator-2")
    assertRefused("an unknown signer") {
      try record(evaluation(of: blinded, grant: grant(), by: unknown))
    }
    assertRefused("another type") {
      try record(evaluation(of: blinded, grant: grant(), type: .certificate))
    }
    assertRefused("no grant") { try record(evaluation(of: blinded)) }
    var lacking = try evaluation(of: blinded, grant: grant())
    lacking.publicValue = nil
    assertRefused("no public value of the provider") { try record(lacking) }
  }

  /// The provider could otherwise become the one that grants, by an honest grant and two rotations.
  func testWhoeverSignsAGrantAgainIsNotTheOneThatGrants() throws {
    let former = try record(evaluation(of: pin.blinded(), grant: grant()))
    let provider = try Ed25519.SigningKey(seed: .random(count: 32), keyID: "provider")
    bed = try TestBed(
      resultKey: .init(seed: .random(count: 32), keyID: "result-1"), evaluatorKey: provider)
    let honest = try grant { $0.replaces = former.key }
    var again = try evaluation(of: pin.blinded(), grant: honest, by: provider)
    again.evaluator.otherGrants = [
      try SignedMessage.sign(honest, type: .evaluatorGrant, signer: evaluatorKey)
    ]
    assertRefused("signed again") { try record(again, replacing: former) }
  }

  /// A provider could otherwise lead a change into a registration that somebody made who has had the
  /// hardware key.
  func testANewPinKeyComesInThePlaceOfTheWalletsOwn() throws {
    let former = try record(evaluation(of: pin.blinded(), grant: grant()))
    for replaced in [nil, "key-2"] {
      assertRefused(replaced ?? "none") {
        try record(
          evaluation(of: pin.blinded(), grant: grant { $0.replaces = replaced }), replacing: former)
      }
    }
    assertRefused("a registration") {
      try record(evaluation(of: pin.blinded(), grant: grant { $0.replaces = former.key }))
    }
  }

  func testOnlyAReceiptOfThisKeyAndCommitmentShowsThatItWasAdopted() throws {
    let record = try record(evaluation(of: pin.blinded(), grant: grant()))
    func receipt(
      key: String = "key-1", _ commitment: String = "commitment", version: Int = wireVersion,
      by signer: Ed25519.SigningKey? = nil, type: SignedMessageType = .evaluatorReceipt
    ) throws -> String {
      var content = EvaluatorReceipt(key: key, pinKeyCommitment: commitment)
      content.version = version
      return try SignedMessage.sign(content, type: type, signer: signer ?? evaluatorKey)
    }
    XCTAssertNoThrow(try record.requireAdoption(receipt(), of: "commitment"))
    let stranger = try Ed25519.SigningKey(seed: .random(count: 32), keyID: evaluatorKey.keyID)
    let refused = [
      try receipt(key: "key-2"), try receipt("another"), try receipt(version: 1),
      try receipt(by: stranger), try receipt(type: .evaluatorGrant), "",
    ]
    for receipt in refused {
      assertRefused(receipt) { try record.requireAdoption(receipt, of: "commitment") }
    }
    assertRefused("no commitment") { try record.requireAdoption(receipt(), of: nil) }
  }

  func testANewPinKeyIsOfTheSameEvaluatorWhateverTheConfigurationSays() throws {
    let former = try record(evaluation(of: pin.blinded(), grant: grant()))
    XCTAssertEqual(former.grantPublicKey, Base64URL.encode(evaluatorKey.publicKey))
    let change = try grant { $0.replaces = former.key }
    XCTAssertNoThrow(
      try record(evaluation(of: pin.blinded(), grant: change), replacing: former))

    // The configuration names another key: a rotation, or an evaluator of the provider's own.
    let next = try Ed25519.SigningKey(seed: .random(count: 32), keyID: evaluatorKey.keyID)
    bed = try TestBed(
      resultKey: .init(seed: .random(count: 32), keyID: "result-1"), evaluatorKey: next)
    let named = Base64URL.encode(next.publicKey)
    let granted = try grant {
      $0.replaces = former.key
      $0.grantKey = named
    }
    let signed = try SignedMessage.sign(granted, type: .evaluatorGrant, signer: evaluatorKey)
    let others: [[String]?] = [
      nil, [], [try SignedMessage.sign(granted, type: .evaluatorGrant, signer: next)],
      [
        try SignedMessage.sign(
          grant { $0.publicValue = former.providerValue }, type: .evaluatorGrant,
          signer: evaluatorKey)
      ], [try SignedMessage.sign(granted, type: .pinInstruction, signer: evaluatorKey)],
    ]
    for (number, other) in others.enumerated() {
      var evaluation = try evaluation(of: pin.blinded(), grant: granted, by: next)
      evaluation.evaluator.otherGrants = other
      assertRefused("\(number)") { try record(evaluation, replacing: former) }
      // A registration has nothing to compare with.
      XCTAssertNoThrow(
        try record(
          self.evaluation(of: pin.blinded(), grant: grant { $0.grantKey = named }, by: next)))
    }
    var evaluation = try evaluation(of: pin.blinded(), grant: granted, by: next)
    evaluation.evaluator.otherGrants = ["", signed]
    let replaced = try record(evaluation, replacing: former)
    XCTAssertEqual(replaced.grantPublicKey, Base64URL.encode(next.publicKey))
  }

  func testAnEvaluationByAnotherKeyThanTheOneThatIsKeptIsRefused() throws {
    let blinded = try pin.blinded()
    let genuine = try evaluation(of: blinded, grant: grant())
    let record = try record(genuine)
    XCTAssertNoThrow(try record.secrets(of: blinded, genuine))
    let changes: [(String, (inout PinEvaluation) -> Void)] = [
      ("another key", { $0.evaluator.key = "key-2" }),
      ("no base64url", { $0.element = "=" }), ("no proof", { $0.proof = "" }),
      ("no element", { $0.evaluator.element = Base64URL.encode([UInt8](repeating: 0, count: 32)) }),
    ]
    for (name, change) in changes {
      var changed = genuine
      change(&changed)
      assertRefused(name) { try record.secrets(of: blinded, changed) }
    }
    // The public values in a later evaluation do not count: those of the record do.
    for half in [\PinKeyRecordTests.evaluator, \.provider] {
      let former = self[keyPath: half]
      self[keyPath: half] = try .random()
      assertRefused("another half") {
        try record.secrets(of: blinded, evaluation(of: blinded, grant: grant()))
      }
      self[keyPath: half] = former
    }
  }

  func testAnotherBlindedPinIsNotTakenForThisOne() throws {
    let earlier = try pin.blinded()
    let genuine = try evaluation(of: earlier, grant: grant())
    let record = try record(genuine)
    let blinded = try pin.blinded()
    assertRefused("an evaluation of another blind") { try record.secrets(of: blinded, genuine) }
  }
}
