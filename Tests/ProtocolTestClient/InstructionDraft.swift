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
  public func plain(
    _ name: InstructionName, wallet: String, payload: [UInt8], challenge: String?,
    sequence: UInt64, encryptionKey: String? = nil
  ) throws -> [UInt8] {
    let claims = InstructionClaims(
      audience: configuration.providerID, wallet: wallet, instruction: name,
      payloadHash: Base64URL.encode(Hash.sha256(payload)), challenge: challenge,
      sequence: sequence, hardwareKey: name == .register ? try subjectPublicKey : nil,
      encryptionKey: encryptionKey)
    return try WireJSON.encode(
      InstructionEnvelope(
        signature: try SignedMessage.sign(claims, type: .instruction, signer: hardwareKey),
        payload: Base64URL.encode(payload)))
  }

  /// The preparation of a change to the PIN of `newKey`.
  ///
  /// - Parameter prover: who signs that the wallet has the new key; that key when nil.
  public func pinChange(
    wallet: String, challenge: String, sequence: UInt64, pinKey: Ed25519.SigningKey,
    newKey: Ed25519.SigningKey, provenBy prover: Ed25519.SigningKey? = nil
  ) throws -> [UInt8] {
    let change = Base64URL.encode(Random.bytes(PinChangeReference.idLength))
    let proof = NewPinKeyProof(
      audience: configuration.providerID, wallet: wallet, challenge: challenge, change: change)
    let payload = PinChangePayload(
      shareRecipient: Base64URL.encode(try SealedBox.Recipient().publicKey), change: change,
      newPinPublicKey: Base64URL.encode(newKey.publicKey),
      proof: try SignedMessage.sign(proof, type: .newPinKeyProof, signer: prover ?? newKey))
    return try pinInstruction(
      .preparePinChange, wallet: wallet, challenge: challenge, sequence: sequence, pinKey: pinKey,
      payload: WireJSON.encode(payload))
  }

  /// The body of a PIN instruction that `pinKey` signs inside. Nobody will open the share.
  ///
  /// - Parameter payload: that of `register` and `check_pin` when nil.
  public func pinInstruction(
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
      sequence: sequence, hardwareKey: try subjectPublicKey)
    let message = SealedInstruction(
      signature: try SignedMessage.sign(inner, type: .pinInstruction, signer: pinKey),
      payload: Base64URL.encode(payload),
      pinPublicKey: name == .register ? Base64URL.encode(pinKey.publicKey) : nil)
    guard let recipient = configuration.encryptionKeys.first,
      let publicKey = Base64URL.decode(recipient.key)
    else { throw UnusableAnswer("the configuration names no encryption key") }
    let sealed = try SealedBox.seal(
      Secret(copying: try WireJSON.encode(message)), to: publicKey)
    return try plain(
      name, wallet: wallet, payload: sealed, challenge: challenge, sequence: sequence,
      encryptionKey: recipient.id)
  }
}
