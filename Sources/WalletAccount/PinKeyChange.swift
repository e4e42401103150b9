internal import WalletCrypto

/// A correct PIN whose key has to be made anew: it was stretched with weaker parameters than the
/// configuration demands, or granted with a key that the evaluator has replaced.
public struct WeakPin: Sendable {
  let pin: Pin
  let stretched: StretchedPin
  /// The salt that `stretched` was made with.
  let salt: Secret
  let requiredParameters: PinKey.Parameters
}

/// The two stretched PINs of a change. The PINs themselves are no longer needed.
public struct PinKeyChange: Sendable {
  let former: StretchedPin
  /// The salt of the former PIN. Its key is still in force if the stored salt is equal to this one.
  let formerSalt: Secret
  let new: StretchedPin
  let salt: Secret
  let parameters: PinKey.Parameters

  /// Stretches `pin` with a new salt.
  init(
    from former: StretchedPin, salt formerSalt: Secret, to pin: Pin,
    parameters: PinKey.Parameters
  ) throws {
    self.former = former
    self.formerSalt = formerSalt
    self.parameters = parameters
    salt = try .random(count: PinKey.saltLength)
    new = try PinKey.stretch(pin, salt: salt, parameters: parameters)
  }

  /// Stretches the same PIN anew.
  public init(strengthening weak: WeakPin) throws {
    try self.init(
      from: weak.stretched, salt: weak.salt, to: weak.pin, parameters: weak.requiredParameters)
  }
}
