import Foundation
import WalletCrypto
import WalletModel
import WalletPlatform
import WalletProtocol
import WalletTransport

/// An attacker who speaks the protocol itself: has the hardware key, and PIN keys made beforehand.
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

  /// The signed bytes of one guess, by a check or by a change of the PIN.
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

  /// Signs messages by hand.
  struct Draft {
    let configuration: ConfigurationClaims
    let hardwareKey: Ed25519.SigningKey

    private var spki: String {
      get throws {
        Base64URL.encode(try SubjectPublicKey(ed25519: hardwareKey.publicKey).der)
      }
    }

    func plain(
      _ name: InstructionName, wallet: String, payload: [UInt8], challenge: String?,
      sequence: UInt64, encryptionKey: String? = nil
    ) throws -> [UInt8] {
      let claims = InstructionClaims(
        audience: configuration.providerID, wallet: wallet, instruction: name,
        payloadHash: Base64URL.encode(Hash.sha256(payload)), challenge: challenge,
        sequence: sequence, hardwareKey: name == .register ? try spki : nil,
        encryptionKey: encryptionKey)
      return try WireJSON.encode(
        InstructionEnvelope(
          signature: try SignedMessage.sign(claims, type: .instruction, signer: hardwareKey),
          payload: Base64URL.encode(payload)))
    }

    /// The preparation of a change to the PIN of `newKey`.
    func pinChange(
      wallet: String, challenge: String, sequence: UInt64, pinKey: Ed25519.SigningKey,
      newKey: Ed25519.SigningKey, provenBy prover: Ed25519.SigningKey? = nil
    ) throws -> [UInt8] {
      let change = Base64URL.encode(Random.bytes(16))
      let proof = NewPinKeyProof(
        audience: configuration.providerID, wallet: wallet, challenge: challenge, change: change)
      let payload = PinChangePayload(
        shareRecipient: Base64URL.encode(try SealedBox.Recipient().publicKey), change: change,
        newPinPublicKey: Base64URL.encode(newKey.publicKey),
        proof: try SignedMessage.sign(proof, type: .newPinKeyProof, signer: prover ?? newKey))
      return try pinInstruction(
        .preparePinChange, wallet: wallet, challenge: challenge, sequence: sequence,
        pinKey: pinKey, payload: WireJSON.encode(payload))
    }

    func pinInstruction(
      _ name: InstructionName, wallet: String, challenge: String, sequence: UInt64,
      pinKey: Ed25519.SigningKey, payload: [UInt8]? = nil
    ) throws -> [UInt8] {
      let payload =
        try payload
        ?? WireJSON.encode(
          PinPayload(shareRecipient: Base64URL.encode(SealedBox.Recipient().publicKey)))
      let inner = InstructionClaims(
        audience: configuration.providerID, wallet: wallet, instruction: name,
        payloadHash: Base64URL.encode(Hash.sha256(payload)), challenge: challenge,
        sequence: sequence, hardwareKey: try spki)
      let message = SealedInstruction(
        signature: try SignedMessage.sign(inner, type: .pinInstruction, signer: pinKey),
        payload: Base64URL.encode(payload),
        pinPublicKey: name == .register ? Base64URL.encode(pinKey.publicKey) : nil)
      let recipient = configuration.encryptionKeys[0]
      let sealed = try SealedBox.seal(
        Secret(copying: try WireJSON.encode(message)), to: Base64URL.decode(recipient.key) ?? [])
      return try plain(
        name, wallet: wallet, payload: sealed, challenge: challenge, sequence: sequence,
        encryptionKey: recipient.id)
    }
  }
}
