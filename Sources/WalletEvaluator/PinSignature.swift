import WalletProtocol
import WalletSignatures

/// A message that a PIN key signed, forwarded by the provider.
struct PinSignature {
  /// What the evaluator reads of it; the members are the same in all such messages.
  struct Claims: Decodable {
    var version: Int
    var evaluation: String
    var blinded: String
    var challenge: String?
    var hardwareKey: String?
    var newBlinded: String?

    enum CodingKeys: String, CodingKey {
      case version, evaluation, blinded, challenge
      case hardwareKey = "hardware_key"
      case newBlinded = "new_blinded"
    }
  }

  let claims: Claims
  /// SHA-256 of the compact JWS.
  let hash: [UInt8]

  /// Nil unless the key signed a message of this type about this evaluation of this blinded PIN.
  init?(
    _ compact: String, type: SignedMessageType, by publicKey: [UInt8], evaluation: String,
    blinded: [UInt8]
  ) {
    guard let message = try? SignedMessage(parsing: compact),
      let verifier = PublicKeyVerifier(ed25519: publicKey),
      let claims = try? message.content(Claims.self, type: type, verifier: verifier),
      claims.version == wireVersion, claims.evaluation == evaluation,
      claims.blinded == Base64URL.encode(blinded)
    else { return nil }
    self.claims = claims
    hash = Digest.sha256(compact.utf8)
  }
}

/// The inner message of `prepare_pin_change`, by which the PIN key in force says which one is to take
/// its place.
struct ChangeSignature {
  private let claims: InstructionClaims
  private let payload: PinChangePayload

  /// Nil unless the key signed such a message with this payload.
  init?(_ compact: String, payload: String, by publicKey: [UInt8]) {
    guard let message = try? SignedMessage(parsing: compact),
      let verifier = PublicKeyVerifier(ed25519: publicKey),
      let claims = try? message.content(
        InstructionClaims.self, type: .pinInstruction, verifier: verifier),
      claims.version == wireVersion, claims.instruction == .preparePinChange,
      let bytes = Base64URL.decode(payload),
      claims.payloadHash == Base64URL.encode(Digest.sha256(bytes)),
      let content = try? WireJSON.decode(PinChangePayload.self, from: bytes)
    else { return nil }
    self.claims = claims
    self.payload = content
  }

  /// The proof by the new PIN key.
  var proof: String { payload.proof }

  /// Whether the message is the one within `outer`, and about this key.
  func fits(_ outer: HardwareSignature, hardwareKey: [UInt8], publicKey: [UInt8]) -> Bool {
    claims.audience == outer.audience && claims.challenge == outer.challenge
      && claims.hardwareKey == Base64URL.encode(hardwareKey)
      && payload.newPinPublicKey == Base64URL.encode(publicKey)
  }
}
