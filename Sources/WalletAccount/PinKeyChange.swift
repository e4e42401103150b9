internal import WalletCrypto
internal import WalletProtocol

/// A right PIN whose key cost less work than the configuration asks for.
public struct WeakPin: Sendable {
  let pin: Pin
  let key: Ed25519.SigningKey
  /// The salt that `key` was derived with.
  let salt: String
  let wanted: PinKey.Parameters
}

/// The two keys of a change, derived. The PINs themselves are not needed any more.
public struct PinKeyChange: Sendable {
  let former: Ed25519.SigningKey
  /// The salt of the former key, by which it is seen whether that is still the one in force.
  let formerSalt: String
  let new: Ed25519.SigningKey
  let salt: [UInt8]
  let parameters: PinKey.Parameters

  /// Derives the new key from `pin` with a new salt.
  init(
    from former: Ed25519.SigningKey, salt formerSalt: String, to pin: Pin,
    parameters: PinKey.Parameters
  ) throws {
    self.former = former
    self.formerSalt = formerSalt
    self.parameters = parameters
    salt = Random.bytes(PinKey.saltLength)
    new = try PinKey.derive(from: pin, salt: salt, parameters: parameters)
  }

  /// The same PIN under the parameters that are wanted of it.
  public init(strengthening weak: WeakPin) throws {
    try self.init(from: weak.key, salt: weak.salt, to: weak.pin, parameters: weak.wanted)
  }

  /// What the new key signs to show that the wallet has it.
  func proof(
    audience: String, wallet: String, challenge: String, change: String
  ) throws -> String {
    try SignedMessage.sign(
      NewPinKeyProof(audience: audience, wallet: wallet, challenge: challenge, change: change),
      type: .newPinKeyProof, signer: new)
  }
}
