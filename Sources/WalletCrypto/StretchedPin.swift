internal import CSodium
internal import WalletOPRF

/// A PIN after Argon2id. With the salt, guesses of the PIN can be checked against it, so it is never
/// stored.
public struct StretchedPin: Sendable {
  static let length = 32

  let secret: Secret

  init(_ secret: Secret) { self.secret = secret }

  /// Blinds the PIN for one evaluation.
  public func blinded() throws -> BlindedPin { try BlindedPin(self) }
}

/// A PIN that is blinded for one evaluation (RFC 9497 section 3.3.1). The element tells nothing of
/// the PIN.
public struct BlindedPin: Sendable {
  /// The element to be evaluated, 32 bytes. Not secret.
  public let element: [UInt8]

  private let pin: StretchedPin
  private let blind: SecretScalar
  private let group: GroupElement

  init(_ pin: StretchedPin) throws {
    defer { Sodium.wipeStack() }
    self.pin = pin
    (blind, group) = try Self.translating {
      let blind = try SecretScalar.random()
      return try pin.secret.withBytes { (blind, try ObliviousPRF.blinded($0, by: blind)) }
    }
    element = group.serialized
  }

  /// Checks both proofs of an evaluation and returns what the PIN becomes.
  ///
  /// - Parameters:
  ///   - values: the public values of both halves of the key.
  /// - Throws: `CryptoError.notAuthentic` if the evaluation is not by these halves.
  public func secrets(
    _ evaluation: PinEvaluationElements, by values: PinKeyValues
  ) throws -> PinSecrets {
    try Self.translating {
      let half = try GroupElement(serialized: evaluation.half)
      let last = try GroupElement(serialized: evaluation.element)
      guard
        try EvaluationProof(serialized: evaluation.halfProof).holds(
          publicValue: GroupElement(serialized: values.evaluator), blinded: group, evaluated: half),
        try EvaluationProof(serialized: evaluation.proof).holds(
          publicValue: GroupElement(serialized: values.provider), blinded: half, evaluated: last)
      else { throw CryptoError.notAuthentic }
      let output = try Secret(count: ObliviousPRF.outputLength) { target in
        defer { Sodium.wipeStack() }
        try pin.secret.withBytes { bytes in
          try ObliviousPRF.finalize(bytes, blind: blind, evaluated: last, into: target)
        }
      }
      return try PinSecrets(output: output)
    }
  }

  private static func translating<Result>(_ body: () throws -> Result) throws -> Result {
    do { return try body() } catch let error as ObliviousPRFError {
      switch error {
      case .outOfMemory: throw CryptoError.outOfMemory
      case .invalidInput: throw CryptoError.notAuthentic
      }
    }
  }
}

/// The elements and proofs of an evaluation. Not secret.
public struct PinEvaluationElements: Sendable {
  /// The blinded element, multiplied by the evaluator's half; 32 bytes.
  public var half: [UInt8]
  /// The proof for `half`, 64 bytes.
  public var halfProof: [UInt8]
  /// `half`, multiplied by the provider's half; 32 bytes.
  public var element: [UInt8]
  /// The proof for `element`, 64 bytes.
  public var proof: [UInt8]

  public init(half: [UInt8], halfProof: [UInt8], element: [UInt8], proof: [UInt8]) {
    self.half = half
    self.halfProof = halfProof
    self.element = element
    self.proof = proof
  }
}

/// The public values of the two halves of the key that evaluates a PIN, 32 bytes each. Not secret.
public struct PinKeyValues: Equatable, Sendable {
  public var evaluator: [UInt8]
  public var provider: [UInt8]

  public init(evaluator: [UInt8], provider: [UInt8]) {
    self.evaluator = evaluator
    self.provider = provider
  }
}

/// What an evaluated PIN becomes.
public struct PinSecrets: Sendable {
  /// Signs PIN instructions.
  public let key: Ed25519.SigningKey
  /// The PIN's part in the wrapping of the vault key, 32 bytes.
  private let wrapping: Secret

  /// - Parameter output: the 64 bytes of the function.
  package init(output: Secret) throws {
    key = try Ed25519.SigningKey(
      seed: KeyDerivation.secret(from: output, purpose: "wallet_core/2/pin-key"))
    wrapping = try KeyDerivation.secret(from: output, purpose: "wallet_core/2/pin-wrapping")
  }

  /// Returns the key that wraps the vault key. It depends on the PIN and on the provider's share.
  public func wrappingKey(with share: Secret) throws -> Secret {
    try KeyDerivation.secret(from: wrapping, purpose: "wallet_core/2/vault", with: share)
  }
}
