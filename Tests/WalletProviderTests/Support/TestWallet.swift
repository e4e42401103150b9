import Foundation
import ServerTestSupport
import WalletOPRF
import WalletProtocol
import WalletProvider
import WalletSignatures
import XCTest

/// A wallet at protocol level: it builds each request itself, so that a test can alter any part.
final class TestWallet {
  /// A request that can be sent any number of times.
  struct Prepared: Sendable {
    var instruction: InstructionName
    var claims: InstructionClaims
    var body: [UInt8]
    /// Where it is sent.
    var path: String
    /// What a `challenge` asks to be evaluated.
    var blinded: String?
    /// What `begin_pin_change` asks to be evaluated, and the change.
    var beginning: (change: String, pin: String, blinded: String)?
  }

  /// An evaluation, as the wallet remembers it.
  struct Evaluated {
    var key: String
    var id: String
    var blinded: String
  }

  /// A new PIN that was begun.
  struct PendingPin {
    var change: String
    var pin: String
    var evaluated: Evaluated
  }

  let harness: ProviderHarness
  var hardware: TestHardwareKey
  let registration = Base64URL.encode((0..<16).map { _ in UInt8.random(in: 0...255) })
  let salt = (0..<16).map { _ in UInt8.random(in: 0...255) }
  var id = ""
  var sequence: UInt64 = 0
  var share: [UInt8] = []
  var shareKey = ShareKey()
  /// The id of the PIN key in force.
  var pinKeyID: String?
  /// The newest evaluation.
  var evaluation: Evaluated?
  /// The evaluations by the challenges that came with them.
  var evaluations: [String: Evaluated] = [:]
  /// What came with the challenges of registrations.
  var registrationStates: [String: String] = [:]
  /// The new PIN of a change that was begun.
  var pendingPin: PendingPin?

  init(_ harness: ProviderHarness, hardware: TestHardwareKey = .makeEd25519()) {
    self.harness = harness
    self.hardware = hardware
  }

  /// A wallet that is registered with PIN 123654 and confirmed.
  static func confirmed(
    _ harness: ProviderHarness, hardware: TestHardwareKey = .makeEd25519()
  ) async throws -> TestWallet {
    let wallet = TestWallet(harness, hardware: hardware)
    try await wallet.register()
    _ = try await wallet.confirm()
    return wallet
  }

  func nextSequence() -> UInt64 {
    sequence += 1
    return sequence
  }

  func send(
    _ prepared: Prepared, to provider: Provider? = nil
  ) async throws -> InstructionOutcome {
    let provider = provider ?? harness.provider
    let answer =
      prepared.path == Route.registrationChallenge
      ? try await provider.registrationChallenge(body: prepared.body)
      : try await provider.answer(prepared.instruction, body: prepared.body)
    let outcome = try harness.result(answer, to: prepared.body, claims: prepared.claims)
    remember(outcome, of: prepared)
    return outcome
  }

  // MARK: Building requests

  func claims(
    _ instruction: InstructionName, payload: [UInt8], challenge: String?, sequence: UInt64
  ) -> InstructionClaims {
    InstructionClaims(
      audience: harness.configuration.providerID,
      wallet: instruction == .register ? registration : id, instruction: instruction,
      payloadHash: sha256Text(payload), challenge: challenge, sequence: sequence)
  }

  func prepare(_ claims: InstructionClaims, payload: [UInt8]) throws -> Prepared {
    let envelope = InstructionEnvelope(
      signature: try SignedMessage.sign(claims, type: .instruction, signer: hardware),
      payload: Base64URL.encode(payload))
    return Prepared(
      instruction: claims.instruction, claims: claims, body: try WireJSON.encode(envelope),
      path: Route.of(claims.instruction))
  }

  func preparePlain(
    _ instruction: InstructionName, _ payload: some Encodable, challenge: String?,
    sequence: UInt64? = nil
  ) throws -> Prepared {
    let bytes = try WireJSON.encode(payload)
    return try prepare(
      claims(
        instruction, payload: bytes, challenge: challenge, sequence: sequence ?? nextSequence()),
      payload: bytes)
  }

  /// A PIN instruction, signed by the key of `pin`. It names the evaluation that came with
  /// `challenge`, otherwise the newest. `payload` is a `PinPayload` if nil; `tamperInner` and
  /// `tamperOuter` change claims before they are signed. The outer claims commit to `newKey`, in a
  /// registration to the key of `pin`.
  func preparePin(
    _ instruction: InstructionName, pin: String, challenge: String, sequence: UInt64? = nil,
    recipient: [UInt8]? = nil, payload: [UInt8]? = nil, newKey: [UInt8]? = nil,
    innerType: SignedMessageType = .pinInstruction,
    tamperInner: (inout InstructionClaims) -> Void = { _ in },
    tamperOuter: (inout InstructionClaims) -> Void = { _ in },
    tamperSealed: (inout [UInt8]) -> Void = { _ in }
  ) throws -> Prepared {
    let sequence = sequence ?? nextSequence()
    let pinKey = try TestPinKey(pin: pin, salt: salt)
    let payload =
      try payload
      ?? WireJSON.encode(
        PinPayload(
          shareRecipient: Base64URL.encode(recipient ?? shareKey.publicKey),
          registrationState: instruction == .register ? registrationStates[challenge] : nil))
    var inner = claims(instruction, payload: payload, challenge: challenge, sequence: sequence)
    inner.hardwareKey = Base64URL.encode(hardware.der)
    let evaluated = evaluations[challenge] ?? evaluation
    inner.evaluation = evaluated?.id
    inner.blinded = evaluated?.blinded
    tamperInner(&inner)
    let committed = instruction == .register ? pinKey.publicKey : newKey
    let opening = SecureRandom.bytes(PinKeyAdoption.openingLength)
    let message = SealedInstruction(
      signature: try SignedMessage.sign(inner, type: innerType, signer: pinKey),
      payload: Base64URL.encode(payload),
      pinPublicKey: instruction == .register ? Base64URL.encode(pinKey.publicKey) : nil,
      pinKeyOpening: committed == nil ? nil : Base64URL.encode(opening))
    let key = harness.configuration.encryptionKeys[0]
    var box = sealed(try WireJSON.encode(message), to: Base64URL.decode(key.key) ?? [])
    tamperSealed(&box)
    var outer = claims(instruction, payload: box, challenge: challenge, sequence: sequence)
    outer.encryptionKey = key.id
    if instruction == .register { outer.hardwareKey = Base64URL.encode(hardware.der) }
    outer.pinKeyCommitment = committed.map { sha256Text(opening + $0) }
    tamperOuter(&outer)
    return try prepare(outer, payload: box)
  }

  // MARK: Whole conversations

  @discardableResult
  func register(pin: String = "123654") async throws -> CertificateClaims {
    let challenge = try await registrationChallenge()
    let outcome = try await send(preparePin(.register, pin: pin, challenge: challenge))
    return try accept(outcome)
  }

  @discardableResult
  func accept(_ outcome: InstructionOutcome) throws -> CertificateClaims {
    guard case .registered(let text, let share, _) = outcome else {
      throw UnexpectedOutcome(outcome: outcome)
    }
    let key = harness.configuration.certificateKeys[0].key
    let verifier = try XCTUnwrap(PublicKeyVerifier(ed25519: Base64URL.decode(key) ?? []))
    let certificate = try SignedMessage(parsing: text).content(
      CertificateClaims.self, type: .certificate, verifier: verifier)
    id = certificate.wallet
    self.share = try XCTUnwrap(shareKey.open(share))
    return certificate
  }

  func confirm() async throws -> InstructionOutcome {
    let challenge = try await challenge(for: .confirmRegistration)
    return try await send(
      preparePlain(.confirmRegistration, EmptyPayload(), challenge: challenge))
  }

  func delete() async throws -> InstructionOutcome {
    let challenge = try await challenge(for: .deleteWallet)
    return try await send(preparePlain(.deleteWallet, EmptyPayload(), challenge: challenge))
  }

  /// Checks a PIN. The outcome is that of the challenge if that is no challenge.
  func check(_ pin: String, at provider: Provider? = nil) async throws -> InstructionOutcome {
    let asked = try prepareChallenge(.checkPin, pin: pin)
    let outcome = try await send(asked, to: provider)
    guard case .challenge = outcome else { return outcome }
    return try await send(
      preparePin(.checkPin, pin: pin, challenge: try challenge(in: outcome, of: asked)),
      to: provider)
  }

  /// Checks the right PIN; returns the share in the answer, or nil.
  func checkRight(pin: String = "123654") async throws -> [UInt8]? {
    guard case .valid(let share, _, _) = try await check(pin) else { return nil }
    return shareKey.open(share)
  }
}

/// An outcome with which the test cannot continue.
struct UnexpectedOutcome: Error {
  var outcome: InstructionOutcome
}
