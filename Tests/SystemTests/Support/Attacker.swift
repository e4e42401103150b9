import Foundation
import ProtocolTestClient
import WalletCrypto
import WalletPlatform
import WalletProtocol
import WalletTransport

/// An attacker with the hardware key who sends requests to the provider.
struct Attacker {
  /// The part of an answer that can depend on the PIN.
  enum Answer: Equatable {
    /// Unsigned: status and body, byte for byte.
    case problem(Int, [UInt8])
    /// Signed, without the random parts of every answer.
    case signed(String)
  }

  /// The provider evaluated no guess and answered this.
  struct NotEvaluated: Error { let answer: Answer }

  /// An evaluated guess.
  struct Evaluated {
    var given: GivenChallenge
    let key: Ed25519.SigningKey

    /// The same evaluation with another challenge.
    func with(_ challenge: String) -> Evaluated {
      var other = self
      other.given.challenge = challenge
      return other
    }
  }

  let draft: ProtocolClient.Draft
  let registration: String
  let wallet: String?
  private let transport: ProviderTransport
  /// The id of the PIN key.
  private var key: String?
  private var sequence: UInt64 = 1000
  /// The number of evaluations with the wallet's key.
  private(set) var evaluations = 0

  init(_ device: StolenDevice, _ document: Data) throws {
    let provider = try KnownProvider(document: Array(document))
    guard let key = device.hardwareKey,
      let registration = device.registration?["registrationID"] as? String
    else { throw TestFailure("nothing to attack with") }
    draft = ProtocolClient.Draft(configuration: provider.configuration, hardwareKey: key)
    transport = ProviderTransport(address: provider.address, certificateAuthority: nil)
    self.registration = registration
    wallet = device.registration?["walletID"] as? String
    self.key = (device.registration?["pinKey"] as? [String: Any])?["key"] as? String
  }

  mutating func nextSequence() -> UInt64 {
    sequence += 1
    return sequence
  }

  func post(_ body: [UInt8], _ path: String) throws -> Answer {
    switch try send(body, path) {
    case .problem(let status, let body): .problem(status, body)
    case .signed(let outcome): Self.answer(outcome)
    }
  }

  private enum Received {
    case problem(Int, [UInt8])
    case signed(InstructionOutcome)
  }

  private func send(_ body: [UInt8], _ path: String) throws -> Received {
    let response = try transport.send(
      HTTPRequest(.post, path, headers: ["content-type": "application/json"], body: body),
      cancellation: Cancellation())
    guard response.status == 200 else { return .problem(response.status, response.body) }
    let answer = try WireJSON.decode(InstructionAnswer.self, from: response.body)
    return .signed(
      try SignedMessage(parsing: answer.result).unverifiedContent(InstructionResultClaims.self)
        .outcome)
  }

  private static func answer(_ outcome: InstructionOutcome) -> Answer {
    switch outcome {
    case .challenge: .signed("challenge")
    case .registered: .signed("registered")
    case .valid: .signed("valid")
    case .blocked: .signed("blocked")
    // The current number is the one that the attacker sent last.
    case .sequenceRefused: .signed("sequence refused")
    default: .signed("\(outcome)")
    }
  }

  /// Opens a registration with the blinded guess.
  ///
  /// - Throws: `NotEvaluated`.
  mutating func open(_ guess: PinGuess, as registration: String) throws -> Evaluated {
    let blinded = try guess.blinded()
    let body = try draft.challenge(
      .register, wallet: registration, sequence: nextSequence(), blinded: blinded.element)
    return try evaluated(send(body, Route.registrationChallenge), blinded)
  }

  /// Has the guess evaluated with the wallet's key, as an attempt of `name`.
  ///
  /// - Throws: `NotEvaluated`.
  mutating func evaluate(
    _ guess: PinGuess, for name: InstructionName = .checkPin
  ) throws -> Evaluated {
    let blinded = try guess.blinded()
    let body = try draft.challenge(
      name, wallet: wallet ?? "", sequence: nextSequence(), key: key, blinded: blinded.element)
    let evaluated = try evaluated(send(body, Route.instruction(.challenge)), blinded)
    evaluations += 1
    return evaluated
  }

  private func evaluated(
    _ received: Received, _ blinded: PinGuess.Blinded
  ) throws -> Evaluated {
    switch received {
    case .signed(let outcome):
      guard let given = GivenChallenge(outcome, blinded: blinded.element),
        case .challenge(_, _, let evaluation?, _) = outcome
      else { throw NotEvaluated(answer: Self.answer(outcome)) }
      return Evaluated(given: given, key: try blinded.key(evaluation))
    case .problem(let status, let body):
      throw NotEvaluated(answer: .problem(status, body))
    }
  }

  /// A challenge for an instruction that is no attempt at the PIN.
  ///
  /// - Throws: `NotEvaluated`.
  mutating func challenge(_ name: InstructionName) throws -> String {
    let body = try draft.challenge(name, wallet: wallet ?? "", sequence: nextSequence())
    let received = try send(body, Route.instruction(.challenge))
    guard case .signed(.challenge(let challenge, _, _, _)) = received else {
      throw TestFailure("no challenge: \(received)")
    }
    return challenge
  }

  /// Registers with the key of an evaluation, or with another one.
  mutating func register(
    _ evaluated: Evaluated, as registration: String, sequence: UInt64? = nil,
    with pinKey: Ed25519.SigningKey? = nil
  ) throws -> Answer {
    let answer = try post(
      draft.pinInstruction(
        .register, wallet: registration, given: evaluated.given,
        sequence: sequence ?? nextSequence(), pinKey: pinKey ?? evaluated.key),
      Route.registrations)
    if answer == .signed("registered") { key = evaluated.given.evaluation?.key }
    return answer
  }

  /// Sends a `check_pin` that the test may make invalid in other ways than by the PIN.
  mutating func check(
    _ evaluated: Evaluated, sequence: UInt64? = nil, draft other: ProtocolClient.Draft? = nil,
    path: String = Route.instruction(.checkPin), name: InstructionName = .checkPin,
    with pinKey: Ed25519.SigningKey? = nil
  ) throws -> Answer {
    let sequence = sequence ?? nextSequence()
    return try post(
      (other ?? draft).pinInstruction(
        name, wallet: wallet ?? "", given: evaluated.given, sequence: sequence,
        pinKey: pinKey ?? evaluated.key), path)
  }

  /// Sends a `begin_pin_change`.
  mutating func begin(
    _ evaluated: Evaluated, to newBlinded: String, with pinKey: Ed25519.SigningKey? = nil
  ) throws -> Answer {
    try post(
      draft.beginPinChange(
        Self.newChange(), wallet: wallet ?? "", given: evaluated.given, sequence: nextSequence(),
        pinKey: pinKey ?? evaluated.key, newBlinded: newBlinded),
      Route.instruction(.beginPinChange))
  }

  /// Sends a `prepare_pin_change` of a change that was not begun, to the key of `new`.
  mutating func prepare(
    _ former: Ed25519.SigningKey, to new: Evaluated, provenBy prover: Ed25519.SigningKey? = nil
  ) throws -> Answer {
    guard let evaluation = new.given.evaluation else { throw TestFailure("no evaluation") }
    return try post(
      draft.preparePinChange(
        Self.newChange(), wallet: wallet ?? "",
        given: GivenChallenge(try challenge(.preparePinChange)), sequence: nextSequence(),
        pinKey: former, newKey: new.key, new: evaluation, provenBy: prover),
      Route.instruction(.preparePinChange))
  }

  private static func newChange() -> String {
    Base64URL.encode(Random.bytes(PinChangeReference.idLength))
  }
}
