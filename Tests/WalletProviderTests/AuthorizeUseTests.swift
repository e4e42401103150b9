import Foundation
import ServerTestSupport
import WalletProtocol
import WalletProvider
import WalletSignatures
import XCTest

/// `authorize_use`: the provider opens the slots of a wallet's cards after the owner's PIN, to this
/// request alone.
final class AuthorizeUseTests: XCTestCase {
  private let wrong = "271828"
  private var harness: ProviderHarness!
  private var wallet: TestWallet!

  override func setUp() async throws {
    harness = try ProviderHarness()
    wallet = try await TestWallet.confirmed(harness)
  }

  private var useKey: PublishedKey { harness.configuration.useKeys[0] }

  private func message(of id: String, _ key: [UInt8]) -> [UInt8] {
    SlotKeyMessage.prefix(
      walletHash: Digest.sha256(id.utf8), copy: [UInt8](repeating: 5, count: 16)) + key
  }

  /// A slot as a wallet makes it.
  private func slot(_ message: [UInt8], to key: PublishedKey? = nil) -> SlotReference {
    let key = key ?? useKey
    return SlotReference(
      useKey: key.id,
      box: Base64URL.encode(sealed(message, to: Base64URL.decode(key.key) ?? [])))
  }

  private func slotKey(_ number: UInt8) -> [UInt8] { [UInt8](repeating: number, count: 32) }

  private func payload(
    _ slots: [SlotReference], act: String = Base64URL.encode([UInt8](repeating: 1, count: 32)),
    recipient: [UInt8]? = nil
  ) throws -> [UInt8] {
    try WireJSON.encode(
      UsePayload(
        shareRecipient: Base64URL.encode(recipient ?? wallet.shareKey.publicKey),
        purpose: .presentation, act: act, slots: slots))
  }

  private func prepare(_ payload: [UInt8], pin: String = "123654") async throws
    -> TestWallet.Prepared
  {
    try wallet.preparePin(
      .authorizeUse, pin: pin, challenge: try await wallet.challenge(for: .authorizeUse),
      payload: payload)
  }

  private func authorize(
    _ slots: [SlotReference], pin: String = "123654"
  ) async throws -> InstructionOutcome {
    try await wallet.send(try await prepare(payload(slots), pin: pin))
  }

  /// The verdicts and the keys that were sealed to the recipient.
  private func opened(
    _ outcome: InstructionOutcome
  ) throws -> (verdicts: [SlotVerdict], keys: [[UInt8]]) {
    guard case .authorized(let verdicts, let box, _) = outcome else {
      throw UnexpectedOutcome(outcome: outcome)
    }
    let bytes = try XCTUnwrap(wallet.shareKey.open(box))
    XCTAssertNotEqual(bytes, wallet.share)
    return (verdicts, stride(from: 0, to: bytes.count, by: 32).map { Array(bytes[$0..<$0 + 32]) })
  }

  func testTheRightPinOpensTheSlotsOfThisWalletInTheirOrder() async throws {
    let other = try await TestWallet.confirmed(harness)
    var changed = try XCTUnwrap(Base64URL.decode(slot(message(of: wallet.id, slotKey(9))).box))
    changed[50] ^= 1
    let own = message(of: wallet.id, slotKey(2))
    let slots: [(SlotReference, SlotVerdict)] = [
      (slot(message(of: wallet.id, slotKey(1))), .opened),
      (slot(message(of: other.id, slotKey(3))), .doesNotOpen),
      (SlotReference(useKey: "other", box: slot(own).box), .unknownKey),
      (SlotReference(useKey: useKey.id, box: Base64URL.encode(changed)), .doesNotOpen),
      (SlotReference(useKey: useKey.id, box: "?"), .doesNotOpen),
      (SlotReference(useKey: useKey.id, box: ""), .doesNotOpen),
      (slot([2] + own.dropFirst()), .doesNotOpen), (slot(Array(own.dropLast())), .doesNotOpen),
      (slot(own + [0]), .doesNotOpen),
      (slot(own, to: harness.configuration.encryptionKeys[0]), .unknownKey),
      (slot(own), .opened),
    ]
    let (verdicts, keys) = try opened(try await authorize(slots.map(\.0)))
    XCTAssertEqual(verdicts, slots.map(\.1))
    XCTAssertEqual(keys, [slotKey(1), slotKey(2)])
    XCTAssertEqual(harness.observer.all.count, 1, "an attempt like every other")
  }

  func testAUseWithoutSlotsIsAuthorisedToo() async throws {
    let (verdicts, keys) = try opened(try await authorize([]))
    XCTAssertEqual(verdicts, [])
    XCTAssertEqual(keys, [])
    let most = [SlotReference](
      repeating: slot(message(of: wallet.id, slotKey(1))), count: UsePayload.maximumSlots)
    let (all, _) = try opened(try await authorize(most))
    XCTAssertEqual(all.count, UsePayload.maximumSlots)
  }

  func testAWrongPinOpensNothingAndCountsLikeAnyOther() async throws {
    let slots = [slot(message(of: wallet.id, slotKey(1)))]
    for left: UInt32 in [3, 2, 1] {
      let outcome = try await authorize(slots, pin: wrong)
      XCTAssertEqual(outcome, .wrong(attemptsLeft: left, finalRound: false))
    }
    let blocked = try await authorize(slots, pin: wrong)
    XCTAssertEqual(blocked, .blocked(milliseconds: 60_000, counted: true))
    let asked = try await wallet.send(wallet.prepareChallenge(.authorizeUse))
    XCTAssertEqual(asked, .blocked(milliseconds: 60_000, counted: false))
    harness.clock.advance(60_000)
    let outcome = try await authorize(slots)
    guard case .authorized(_, _, let failures) = outcome else { return XCTFail("\(outcome)") }
    XCTAssertEqual(failures?.count, 4, "the owner is told")
    let again = try await wallet.check(wrong)
    XCTAssertEqual(again, .wrong(attemptsLeft: 3, finalRound: false), "the right PIN reset")
  }

  /// Whatever is refused is refused with the right and the wrong PIN alike.
  func testRefusesAPayloadThatIsNoneWhateverThePin() async throws {
    let good = slot(message(of: wallet.id, slotKey(1)))
    func changed(_ name: String, _ value: JSONValue?) throws -> [UInt8] {
      var members = try XCTUnwrap(JSONValue(parsing: payload([good])).object)
      members[name] = value
      return JSONValue.object(members).encoded
    }
    let act = [UInt8](repeating: 1, count: 32)
    let bad: [[UInt8]] = [
      try payload([SlotReference](repeating: good, count: UsePayload.maximumSlots + 1)),
      try payload([good], act: ""), try payload([good], act: "?"),
      try payload([good], act: Base64URL.encode(act.dropLast())),
      try payload([good], act: Base64URL.encode(act + [1])),
      try payload([good], recipient: [UInt8](repeating: 0, count: 32)),
      try changed("purpose", .string("other")), try changed("purpose", nil),
      try changed("act", nil), try changed("slots", nil), try changed("slots", .object([:])),
      try changed("slots", .array([.object(["use_key": .string(useKey.id)])])),
      try changed("share_recipient", nil),
    ]
    for (number, payload) in bad.enumerated() {
      for pin in ["123654", wrong] {
        let request = try await prepare(payload, pin: pin)
        let kind = await problem { try await self.wallet.send(request) }
        XCTAssertEqual(kind, .instructionRefused, "\(number)")
        // Ends the attempt, so that the next one is not blocked.
        _ = try await wallet.checkRight()
      }
    }
  }

  func testAnotherKeyOrInstructionDoesNotAuthorise() async throws {
    let payload = try payload([slot(message(of: wallet.id, slotKey(1)))])
    // The signature of a check of the PIN is none of a use.
    let challenge = try await wallet.challenge(for: .authorizeUse)
    let mixed = try wallet.preparePin(
      .authorizeUse, pin: "123654", challenge: challenge, payload: payload,
      tamperInner: { $0.instruction = .checkPin })
    let kind = await problem { try await self.wallet.send(mixed) }
    XCTAssertEqual(kind, .instructionRefused)
    // A challenge for a check of the PIN is none for a use.
    let other = try wallet.preparePin(
      .authorizeUse, pin: "123654", challenge: try await wallet.challenge(for: .checkPin),
      payload: payload)
    let refused = await problem { try await self.wallet.send(other) }
    XCTAssertEqual(refused, .challengeRefused)
  }

  func testARepetitionGetsTheSameAnswerAndJudgesNothing() async throws {
    let request = try await prepare(payload([slot(message(of: wallet.id, slotKey(1)))]))
    let provider = harness.provider
    let first = try await provider.answer(.authorizeUse, body: request.body)
    let before = try await harness.stored(wallet)
    for _ in 0..<3 {
      let again = try await provider.answer(.authorizeUse, body: request.body)
      XCTAssertEqual(again.result, first.result)
    }
    let after = try await harness.stored(wallet)
    XCTAssertEqual(after, before)
    XCTAssertEqual(harness.observer.all.count, 1)
    // The same slot is opened again by another request, because nothing is kept of the first.
    let (verdicts, _) = try opened(
      try await authorize([slot(message(of: wallet.id, slotKey(1)))]))
    XCTAssertEqual(verdicts, [.opened])
  }

  func testARetiredUseKeyOpensUntilItIsDeleted() async throws {
    let slots = [slot(message(of: wallet.id, slotKey(1)))]
    let id = useKey.id
    let rotation = KeyRotation(directory: harness.path)
    let now = harness.clock.now / 1000
    _ = try rotation.rotate(.use, now: now)
    func published() throws -> PublishedConfiguration {
      try DataDirectory(path: harness.path, settings: harness.settings).configuration
    }
    _ = try rotation.promote(.use, published: published(), now: now, isUrgent: true)
    try rotation.retire(
      .use, id: id, sealedRows: 0, published: published(), now: now, isUrgent: true)
    try harness.restart()
    let (retired, keys) = try opened(try await authorize(slots))
    XCTAssertEqual(retired, [.opened])
    XCTAssertEqual(keys, [slotKey(1)])
    try rotation.delete(.use, id: id, givesUpCards: true)
    try harness.restart()
    let (deleted, none) = try opened(try await authorize(slots))
    XCTAssertEqual(deleted, [.unknownKey])
    XCTAssertEqual(none, [])
  }
}
