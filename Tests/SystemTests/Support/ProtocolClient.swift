import Foundation
import ProtocolTestClient
import WalletCrypto
import WalletModel
import WalletPlatform
import WalletProtocol
import WalletTransport

/// An attacker who speaks the protocol, with the hardware key and prepared PIN keys.
struct ProtocolClient {
  let configuration: ConfigurationClaims
  let address: ProviderAddress
  let hardwareKey: Ed25519.SigningKey
  let wallet: String

  /// Registers and confirms a wallet with `pinKey`.
  init(document: Data, pinKey: Ed25519.SigningKey) throws {
    let client = try WireJSON.decode(ClientConfiguration.self, from: Array(document))
    configuration = try SignedMessage(parsing: client.configuration).unverifiedContent(
      ConfigurationClaims.self)
    address = try ProviderAddress(url: client.providerURL, allowLoopbackHTTP: true)
    hardwareKey = try Ed25519.SigningKey(seed: .random(count: 32))
    let transport = CurlTransport(address: address, certificateAuthority: nil)
    let response = try transport.send(
      HTTPRequest(.post, Route.enrolmentChallenge), cancellation: Cancellation())
    let challenge = try WireJSON.decode(EnrolmentChallenge.self, from: response.body).challenge
    let registration = Base64URL.encode(Random.bytes(16))
    let draft = Draft(configuration: configuration, hardwareKey: hardwareKey)
    let body = try draft.pinInstruction(
      .register, wallet: registration, challenge: challenge, sequence: 1, pinKey: pinKey)
    guard
      case .registered(let certificate, _) = try Self.post(body, Route.registrations, transport)
    else { throw TestFailure("not registered") }
    wallet = try SignedMessage(parsing: certificate).unverifiedContent(CertificateClaims.self)
      .wallet
    let confirmation = try self.challenge(.confirmRegistration, sequence: 2, transport)
    let confirm = try draft.plain(
      .confirmRegistration, wallet: wallet, payload: WireJSON.encode(EmptyPayload()),
      challenge: confirmation, sequence: 3)
    _ = try Self.post(confirm, Route.instruction(.confirmRegistration), transport)
  }

  func challenge(
    _ name: InstructionName, sequence: UInt64, _ transport: any Transport
  ) throws -> String {
    let draft = Draft(configuration: configuration, hardwareKey: hardwareKey)
    let body = try draft.plain(
      .challenge, wallet: wallet, payload: WireJSON.encode(ChallengePayload(instruction: name)),
      challenge: nil, sequence: sequence)
    guard
      case .challenge(let challenge, _) = try Self.post(
        body, Route.instruction(.challenge), transport)
    else { throw TestFailure("no challenge") }
    return challenge
  }

  /// The signed bytes of one guess, as a check or as a change of the PIN.
  func guess(
    _ pinKey: Ed25519.SigningKey, by name: InstructionName = .checkPin, challenge: String,
    sequence: UInt64
  ) throws -> [UInt8] {
    let draft = Draft(configuration: configuration, hardwareKey: hardwareKey)
    guard name == .preparePinChange else {
      return try draft.pinInstruction(
        name, wallet: wallet, challenge: challenge, sequence: sequence, pinKey: pinKey)
    }
    return try draft.pinChange(
      wallet: wallet, challenge: challenge, sequence: sequence, pinKey: pinKey,
      newKey: Ed25519.SigningKey(seed: .random(count: 32)))
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
