internal import WalletCrypto

/// A correct PIN whose key was derived with weaker parameters than the configuration demands.
public struct WeakPin: Sendable {
  let pin: Pin
  let key: Ed25519.SigningKey
  /// The salt that `key` was derived with.
  let salt: Secret
  let requiredParameters: PinKey.Parameters
}

/// The two derived keys of a change. The PINs themselves are no longer needed.
public struct PinKeyChange: Sendable {
  let former: Ed25519.SigningKey
  /// The salt of the former key. The former key is still in force if the stored salt is equal to
  /// this one.
  let formerSalt: Secret
  let new: Ed25519.SigningKey
  let salt: Secret
  let parameters: PinKey.Parameters

  /// Derives the new key from `pin` with a new salt.
  init(
    from former: Ed25519.SigningKey, salt formerSalt: Secret, to pin: Pin,
    parameters: PinKey.Parameters
  ) throws {
    self.former = former
    self.formerSalt = formerSalt
    self.parameters = parameters
    salt = try .random(count: PinKey.saltLength)
    new = try PinKey.derive(from: pin, salt: salt, parameters: parameters)
  }

  /// Derives a stronger key of the same PIN.
  public init(strengthening weak: WeakPin) throws {
    try self.init(
      from: weak.key, salt: weak.salt, to: weak.pin, parameters: weak.requiredParameters)
  }
}
