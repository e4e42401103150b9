public import WalletCrypto
public import WalletProtocol

/// Signs instructions by hand, as nobody but a test would: with any key, challenge and sequence number.
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

  /// The body of a `register` or `check_pin` that `pinKey` signs inside. Nobody will open the share.
  public func pinInstruction(
    _ name: InstructionName, wallet: String, challenge: String, sequence: UInt64,
    pinKey: Ed25519.SigningKey
  ) throws -> [UInt8] {
    let payload = try WireJSON.encode(
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
