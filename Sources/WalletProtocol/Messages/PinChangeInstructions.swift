// The messages of a PIN change in two phases. After the preparation the provider accepts both PINs,
// after the commit only the new one. A lost message or a kill in between leaves neither side
// without a PIN.

/// The inner payload of `begin_pin_change`.
public struct PinChangeBeginning: Codable, Equatable, Sendable {
  /// As in `PinPayload`.
  public var shareRecipient: String
  /// Base64url of 16 random bytes: the id of the change in all its instructions.
  public var change: String

  public init(shareRecipient: String, change: String) {
    self.shareRecipient = shareRecipient
    self.change = change
  }

  enum CodingKeys: String, CodingKey {
    case change
    case shareRecipient = "share_recipient"
  }
}

/// The inner payload of `prepare_pin_change`. The key of the PIN in force signs the message that it
/// is in, and the whole is sealed: whoever reads the new public key can check guesses of the new
/// PIN.
public struct PinChangePayload: Codable, Sendable, RedactedDescription {
  /// As in `PinPayload`.
  public var shareRecipient: String
  /// The id of the change, as in `PinChangeBeginning`.
  public var change: String
  /// Base64url of the new PIN key's 32-byte Ed25519 public key.
  public var newPinPublicKey: String
  /// Compact JWS of `NewPinKeyProof`, type `newPinKeyProof`, by the new PIN key.
  public var proof: String

  public init(shareRecipient: String, change: String, newPinPublicKey: String, proof: String) {
    self.shareRecipient = shareRecipient
    self.change = change
    self.newPinPublicKey = newPinPublicKey
    self.proof = proof
  }

  enum CodingKeys: String, CodingKey {
    case change, proof
    case shareRecipient = "share_recipient"
    case newPinPublicKey = "new_pin_public_key"
  }
}

/// The content that the new PIN key signs to prove that the wallet has it, for this one
/// instruction.
public struct NewPinKeyProof: Codable, Equatable, Sendable {
  /// `wireVersion`.
  public var version: Int
  /// The provider's id.
  public var audience: String
  public var wallet: String
  /// The challenge of this `prepare_pin_change`.
  public var challenge: String
  /// The id of the change, as in `PinChangePayload`.
  public var change: String
  /// The id of the evaluation of the new PIN.
  public var evaluation: String
  /// Base64url of the blinded new PIN.
  public var blinded: String

  public init(
    audience: String, wallet: String, challenge: String, change: String, evaluation: String,
    blinded: String
  ) {
    self.version = wireVersion
    self.audience = audience
    self.wallet = wallet
    self.challenge = challenge
    self.change = change
    self.evaluation = evaluation
    self.blinded = blinded
  }
}

/// The payload of `commit_pin_change` and `cancel_pin_change`, which only the hardware key signs.
public struct PinChangeReference: Codable, Equatable, Sendable {
  /// The number of random bytes in the id of a change.
  public static let idLength = 16

  /// The id of the change.
  public var change: String

  public init(change: String) { self.change = change }
}
