/// The version of all messages here; a message of another version is refused.
public let wireVersion = 2

/// The instructions that a wallet can send to its provider.
public enum InstructionName: String, Codable, Sendable, CaseIterable {
  case register
  case challenge
  case confirmRegistration = "confirm_registration"
  case checkPin = "check_pin"
  case pinState = "pin_state"
  case beginPinChange = "begin_pin_change"
  case preparePinChange = "prepare_pin_change"
  case commitPinChange = "commit_pin_change"
  case cancelPinChange = "cancel_pin_change"
  case deleteWallet = "delete_wallet"
  case claimEnrolmentCode = "claim_enrolment_code"
  case releaseClaim = "release_claim"
  case submitEvidence = "submit_evidence"
  case proofingStatus = "proofing_status"
  case issuePID = "issue_pid"
  case decideReplacement = "decide_replacement"
  case authorizeUse = "authorize_use"
}

extension InstructionName {
  /// Whether the instruction is an attempt at the PIN: its challenge comes with an evaluation, which
  /// is counted.
  public var isAttempt: Bool {
    [.checkPin, .beginPinChange, .decideReplacement, .authorizeUse].contains(self)
  }
}

/// The signed content of an instruction. A PIN instruction has two signatures: the hardware key's
/// outside and the PIN key's inside. Each signs its own copy of these claims, and the two copies
/// must describe the same instruction (`describesSameInstruction`).
public struct InstructionClaims: Codable, Equatable, Sendable {
  /// `wireVersion`.
  public var version: Int
  /// The id of the provider that the instruction is meant for.
  public var audience: String
  /// The wallet id; for `register` the registration id that the wallet chose.
  public var wallet: String
  public var instruction: InstructionName
  /// Base64url of the SHA-256 of the payload bytes, which are sent beside the signature.
  public var payloadHash: String
  /// Base64url of the 32-byte single-use challenge; nil only if `instruction` is `challenge`.
  public var challenge: String?
  /// Strictly greater than in any earlier instruction of this wallet.
  public var sequence: UInt64
  /// Base64url of the hardware key's SubjectPublicKeyInfo. The inner claims always have it. The
  /// outer claims have it only in `register` and its `challenge`, where the provider does not know
  /// the key yet.
  public var hardwareKey: String?
  /// The id of the provider key that the payload is sealed to; nil if it is not sealed.
  public var encryptionKey: String?
  /// The id of the evaluation that the PIN key was derived with. Only in the inner claims.
  public var evaluation: String?
  /// Base64url of the blinded PIN of that evaluation. Only in the inner claims.
  public var blinded: String?
  /// Base64url of the blinded new PIN. Only in the inner claims of `begin_pin_change`.
  public var newBlinded: String?
  /// Base64url of the SHA-256 of 32 random bytes followed by a 32-byte PIN public key: that in
  /// `register`, or the new one in `prepare_pin_change`. It shows the evaluator which key the wallet
  /// means, and nobody else anything. Only in the outer claims.
  public var pinKeyCommitment: String?

  public init(
    audience: String, wallet: String, instruction: InstructionName, payloadHash: String,
    challenge: String?, sequence: UInt64, hardwareKey: String? = nil, encryptionKey: String? = nil,
    evaluation: String? = nil, blinded: String? = nil, newBlinded: String? = nil,
    pinKeyCommitment: String? = nil
  ) {
    self.version = wireVersion
    self.audience = audience
    self.wallet = wallet
    self.instruction = instruction
    self.payloadHash = payloadHash
    self.challenge = challenge
    self.sequence = sequence
    self.hardwareKey = hardwareKey
    self.encryptionKey = encryptionKey
    self.evaluation = evaluation
    self.blinded = blinded
    self.newBlinded = newBlinded
    self.pinKeyCommitment = pinKeyCommitment
  }

  enum CodingKeys: String, CodingKey {
    case version, audience, wallet, instruction, challenge, sequence, evaluation, blinded
    case newBlinded = "new_blinded"
    case pinKeyCommitment = "pin_key_commitment"
    case payloadHash = "payload_hash"
    case hardwareKey = "hardware_key"
    case encryptionKey = "encryption_key"
  }

  /// Whether the inner claims of a PIN instruction describe the same instruction as the outer ones.
  /// The payloads differ (the outer one is the sealed inner message), so their hashes do too.
  public func describesSameInstruction(as other: InstructionClaims) -> Bool {
    version == other.version && audience == other.audience && wallet == other.wallet
      && instruction == other.instruction && challenge == other.challenge
      && sequence == other.sequence
  }
}

/// The body of every signed request: the outer signature and the payload, whose hash the signature
/// covers.
///
/// For a PIN instruction the payload is a `SealedInstruction`, sealed to the provider's encryption
/// key (`crypto_box_seal`). For `claim_enrolment_code`, `submit_evidence` and `issue_pid` it is the
/// JSON of their payload type, sealed likewise, because it holds a secret or personal data. For all
/// others it is the plain JSON of their payload type.
public struct InstructionEnvelope: Codable, Equatable, Sendable {
  /// Compact JWS of `InstructionClaims`, type `instruction`, by the hardware key.
  public var signature: String
  /// Base64url of the payload bytes.
  public var payload: String

  public init(signature: String, payload: String) {
    self.signature = signature
    self.payload = payload
  }
}

/// The inner message of a PIN instruction. Whoever reads it can check guesses of the PIN, so it is
/// only sent sealed.
public struct SealedInstruction: Codable, Equatable, Sendable, RedactedDescription {
  /// Compact JWS of `InstructionClaims`, type `pinInstruction`, by the PIN key.
  public var signature: String
  /// Base64url of the payload bytes.
  public var payload: String
  /// Base64url of the 32-byte Ed25519 PIN public key; only in `register`.
  public var pinPublicKey: String?
  /// Base64url of the 32 random bytes of the commitment in the outer claims; only in `register` and
  /// `prepare_pin_change`.
  public var pinKeyOpening: String?

  public init(
    signature: String, payload: String, pinPublicKey: String? = nil, pinKeyOpening: String? = nil
  ) {
    self.signature = signature
    self.payload = payload
    self.pinPublicKey = pinPublicKey
    self.pinKeyOpening = pinKeyOpening
  }

  enum CodingKeys: String, CodingKey {
    case signature, payload
    case pinPublicKey = "pin_public_key"
    case pinKeyOpening = "pin_key_opening"
  }
}

/// The payload of `challenge`.
public struct ChallengePayload: Codable, Equatable, Sendable {
  /// The instruction that the challenge is for.
  public var instruction: InstructionName
  /// The id of the PIN key. Only for an instruction that is an attempt at the PIN.
  public var key: String?
  /// Base64url of the blinded PIN, a group element of 32 bytes. Only for `register` and an
  /// instruction that is an attempt at the PIN.
  public var blinded: String?

  public init(instruction: InstructionName, key: String? = nil, blinded: String? = nil) {
    self.instruction = instruction
    self.key = key
    self.blinded = blinded
  }
}

/// The inner payload of `register` and `check_pin`. That of `begin_pin_change` is a
/// `PinChangeBeginning`, that of `prepare_pin_change` a `PinChangePayload`, that of
/// `decide_replacement` a `ReplacementPayload` and that of `authorize_use` a `UsePayload`. All of them
/// have `shareRecipient` too.
public struct PinPayload: Codable, Equatable, Sendable {
  /// Base64url of the 32-byte X25519 key, made for this request only, that the share is sealed to.
  public var shareRecipient: String
  /// Base64url of the platform's key attestation; only in `register`. The provider
  /// does not check it yet, and its certificates say that no key is attested.
  public var attestation: String?
  /// What the provider gave with the challenge, unchanged; only in `register`.
  public var registrationState: String?

  public init(
    shareRecipient: String, attestation: String? = nil, registrationState: String? = nil
  ) {
    self.shareRecipient = shareRecipient
    self.attestation = attestation
    self.registrationState = registrationState
  }

  enum CodingKeys: String, CodingKey {
    case attestation
    case registrationState = "registration_state"
    case shareRecipient = "share_recipient"
  }
}

/// The payload of `confirm_registration`, `pin_state` and `delete_wallet`: nothing but the
/// instruction itself.
public struct EmptyPayload: Codable, Equatable, Sendable {
  private enum CodingKeys: CodingKey {}

  public init() {}

  /// Refuses anything but an object, which the decoder made for a type without members does not.
  public init(from decoder: any Decoder) throws {
    _ = try decoder.container(keyedBy: CodingKeys.self)
  }
}
