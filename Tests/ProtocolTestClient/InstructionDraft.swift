public import WalletCrypto
public import WalletProtocol

/// Builds and signs arbitrary instructions, including invalid ones: with any key, challenge and
/// sequence number.
public struct InstructionDraft: Sendable {
  public let configuration: ConfigurationClaims
  public let hardwareKey: Ed25519.SigningKey

  public init(configuration: ConfigurationClaims, hardwareKey: Ed25519.SigningKey) {
    self.configuration = configuration
    self.hardwareKey = hardwareKey
  }

  private var subjectPublicKey: String {
    get throws { Base64URL.encode(try SubjectPublicKey(ed25519: hardwareKey.publicKey).der) }
  }

  /// The body of an instruction that the hardware key alone signs.
  ///
  /// - Parameter opensRegistration: whether this is the challenge of a registration, which contains
  ///   the public half of the hardware key.
  public func plain(
    _ name: InstructionName, wallet: String, payload: [UInt8], challenge: String?,
    sequence: UInt64, encryptionKey: String? = nil, opensRegistration: Bool = false,
    commitment: String? = nil
  ) throws -> [UInt8] {
    let claims = InstructionClaims(
      audience: configuration.providerID, wallet: wallet, instruction: name,
      payloadHash: Base64URL.encode(Hash.sha256(payload)), challenge: challenge,
      sequence: sequence,
      hardwareKey: name == .register || opensRegistration ? try subjectPublicKey : nil,
      encryptionKey: encryptionKey, pinKeyCommitment: commitment)
    return try WireJSON.encode(
      InstructionEnvelope(
        signature: try SignedMessage.sign(claims, type: .instruction, signer: hardwareKey),
        payload: Base64URL.encode(payload)))
  }

  /// The body of `challenge`.
  ///
  /// - Parameters:
  ///   - key: the id of the PIN key, for an attempt at the PIN.
  ///   - blinded: base64url of the blinded PIN, for an attempt and for `register`.
  public func challenge(
    _ name: InstructionName, wallet: String, sequence: UInt64, key: String? = nil,
    blinded: String? = nil
  ) throws -> [UInt8] {
    try plain(
      .challenge, wallet: wallet,
      payload: WireJSON.encode(ChallengePayload(instruction: name, key: key, blinded: blinded)),
      challenge: nil, sequence: sequence, opensRegistration: name == .register)
  }

  /// The body of `begin_pin_change`.
  ///
  /// - Parameter newBlinded: base64url of the blinded new PIN.
  public func beginPinChange(
    _ change: String, wallet: String, given: GivenChallenge, sequence: UInt64,
    pinKey: Ed25519.SigningKey, newBlinded: String
  ) throws -> [UInt8] {
    let payload = PinChangeBeginning(
      shareRecipient: Base64URL.encode(try SealedBox.Recipient().publicKey), change: change)
    return try pinInstruction(
      .beginPinChange, wallet: wallet, given: given, sequence: sequence, pinKey: pinKey,
      payload: WireJSON.encode(payload), newBlinded: newBlinded)
  }

  /// The body of `prepare_pin_change`, to the PIN of `newKey`.
  ///
  /// - Parameters:
  ///   - new: the evaluation of the new PIN, from the answer to `begin_pin_change`.
  ///   - prover: who signs that the wallet has the new key; that key when nil.
  public func preparePinChange(
    _ change: String, wallet: String, given: GivenChallenge, sequence: UInt64,
    pinKey: Ed25519.SigningKey, newKey: Ed25519.SigningKey, new: NamedEvaluation,
    provenBy prover: Ed25519.SigningKey? = nil
  ) throws -> [UInt8] {
    let proof = NewPinKeyProof(
      audience: configuration.providerID, wallet: wallet, challenge: given.challenge,
      change: change, evaluation: new.id, blinded: new.blinded)
    let payload = PinChangePayload(
      shareRecipient: Base64URL.encode(try SealedBox.Recipient().publicKey), change: change,
      newPinPublicKey: Base64URL.encode(newKey.publicKey),
      proof: try SignedMessage.sign(proof, type: .newPinKeyProof, signer: prover ?? newKey))
    return try pinInstruction(
      .preparePinChange, wallet: wallet, given: given, sequence: sequence, pinKey: pinKey,
      payload: WireJSON.encode(payload), newKey: newKey)
  }

  /// The body of a PIN instruction that `pinKey` signs inside. Nobody will open the share.
  ///
  /// - Parameters:
  ///   - payload: that of `register` and `check_pin` when nil.
  ///   - newBlinded: base64url of the blinded new PIN; only for `begin_pin_change`.
  ///   - newKey: the key of the new PIN; only for `prepare_pin_change`.
  public func pinInstruction(
    _ name: InstructionName, wallet: String, given: GivenChallenge, sequence: UInt64,
    pinKey: Ed25519.SigningKey, payload: [UInt8]? = nil, newBlinded: String? = nil,
    newKey: Ed25519.SigningKey? = nil
  ) throws -> [UInt8] {
    let payload =
      try payload
      ?? WireJSON.encode(
        PinPayload(
          shareRecipient: Base64URL.encode(SealedBox.Recipient().publicKey),
          registrationState: given.registration))
    let inner = InstructionClaims(
      audience: configuration.providerID, wallet: wallet, instruction: name,
      payloadHash: Base64URL.encode(Hash.sha256(payload)), challenge: given.challenge,
      sequence: sequence, hardwareKey: try subjectPublicKey, evaluation: given.evaluation?.id,
      blinded: given.evaluation?.blinded, newBlinded: newBlinded)
    let committed = name == .register ? pinKey : newKey
    let opening = try Secret.random(count: PinKeyAdoption.openingLength).disclosed()
    let message = SealedInstruction(
      signature: try SignedMessage.sign(inner, type: .pinInstruction, signer: pinKey),
      payload: Base64URL.encode(payload),
      pinPublicKey: name == .register ? Base64URL.encode(pinKey.publicKey) : nil,
      pinKeyOpening: committed == nil ? nil : Base64URL.encode(opening))
    guard let recipient = configuration.encryptionKeys.first,
      let publicKey = Base64URL.decode(recipient.key)
    else { throw UnusableAnswer("the configuration names no encryption key") }
    let sealed = try SealedBox.seal(
      Secret(copying: try WireJSON.encode(message)), to: publicKey)
    return try plain(
      name, wallet: wallet, payload: sealed, challenge: given.challenge, sequence: sequence,
      encryptionKey: recipient.id,
      commitment: committed.map {
        Base64URL.encode(Hash.sha256(opening + $0.publicKey))
      })
  }
}
