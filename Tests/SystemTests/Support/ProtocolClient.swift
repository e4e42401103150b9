import Foundation
import ProtocolTestClient
import WalletCrypto
import WalletModel
import WalletPlatform
import WalletProtocol
import WalletTransport

/// An attacker who speaks the protocol, with the hardware key and prepared PIN keys.
struct ProtocolClient {
  let address: ProviderAddress
  let wallet: String
  private let draft: Draft
  /// The id of the PIN key.
  private let key: String?

  /// Registers and confirms a wallet with `pinKey`.
  init(document: Data, pinKey: Ed25519.SigningKey) throws {
    let provider = try KnownProvider(document: Array(document))
    address = provider.address
    let registered = try ProtocolWallet.confirmed(
      over: ProviderConnection(provider), pinKey: pinKey)
    (wallet, draft, key) = (registered.id, registered.draft, registered.pinKeyID)
  }

  /// The signed bytes of `challenge`; for an attempt at the PIN with a random blinded PIN.
  func challengeRequest(
    _ name: InstructionName, sequence: UInt64
  ) throws -> (body: [UInt8], blinded: String?) {
    let blinded = name.isAttempt ? try NamedEvaluation.randomBlinded() : nil
    let body = try draft.challenge(
      name, wallet: wallet, sequence: sequence, key: name.isAttempt ? key : nil, blinded: blinded)
    return (body, blinded)
  }

  func challenge(
    _ name: InstructionName, sequence: UInt64, _ transport: any Transport
  ) throws -> GivenChallenge {
    let (body, blinded) = try challengeRequest(name, sequence: sequence)
    guard let outcome = try Self.post(body, Route.instruction(.challenge), transport),
      let given = GivenChallenge(outcome, blinded: blinded)
    else { throw TestFailure("no challenge") }
    return given
  }

  /// The signed bytes of one guess, as a check or as the beginning of a change of the PIN.
  func guess(
    _ pinKey: Ed25519.SigningKey, by name: InstructionName = .checkPin, _ given: GivenChallenge,
    sequence: UInt64
  ) throws -> [UInt8] {
    guard name == .beginPinChange else {
      return try draft.pinInstruction(
        name, wallet: wallet, given: given, sequence: sequence, pinKey: pinKey)
    }
    return try draft.beginPinChange(
      Base64URL.encode(Random.bytes(PinChangeReference.idLength)), wallet: wallet, given: given,
      sequence: sequence, pinKey: pinKey, newBlinded: NamedEvaluation.randomBlinded())
  }

  /// The signed outcome, or nil for an unsigned problem.
  static func post(
    _ body: [UInt8], _ path: String, _ transport: any Transport
  ) throws -> InstructionOutcome? {
    let response = try transport.send(
      HTTPRequest(.post, path, headers: ["content-type": "application/json"], body: body),
      cancellation: Cancellation())
    guard response.status == 200 else { return nil }
    let answer = try WireJSON.decode(InstructionAnswer.self, from: response.body)
    return try SignedMessage(parsing: answer.result).unverifiedContent(
      InstructionResultClaims.self
    ).outcome
  }

  /// Signs messages without a wallet.
  typealias Draft = InstructionDraft
}
