import WalletSignatures
package import WalletProtocol

/// The opened inner message of a PIN instruction. It is known to describe the same instruction as
/// the outer message; only the PIN signature remains to be checked.
package struct PinInstruction: Sendable {
  let payload: PinPayload
  let recipient: ShareRecipient
  /// The PIN public key in the message, 32 bytes; nil if it contains none.
  package let pinPublicKey: [UInt8]?
  /// As in the message; empty if it contains none. The evaluator checks it.
  let pinKeyOpening: String

  /// The claims that the PIN key signs.
  package let claims: InstructionClaims
  /// The message that the PIN key signs, a compact JWS.
  var compact: String { message.compact }
  /// Base64url of the payload, whose hash the claims have.
  var payloadText: String { Base64URL.encode(payloadBytes) }

  private let message: SignedMessage
  private let payloadBytes: [UInt8]

  /// Opens the sealed payload of `request` and parses it.
  ///
  /// - Throws: `ProblemError`, instruction-refused.
  init(
    opening request: InstructionRequest, with keys: EncryptionKeyRing, hardwareKey: [UInt8]
  ) throws(ProblemError) {
    guard let opened = keys.open(request.payload, keyID: request.claims.encryptionKey) else {
      throw ProblemError(.instructionRefused)
    }
    try self.init(opened: opened, of: request, hardwareKey: hardwareKey)
  }

  /// Compares the inner message with the outer one.
  ///
  /// - Throws: `ProblemError`, instruction-refused. Nothing here depends on the PIN, so a refusal
  ///   is not an attempt.
  package init(
    opened: [UInt8], of request: InstructionRequest, hardwareKey: [UInt8]
  ) throws(ProblemError) {
    guard let sealed = try? WireJSON.decode(SealedInstruction.self, from: opened),
      let message = try? SignedMessage(parsing: sealed.signature),
      let claims = try? message.unverifiedContent(InstructionClaims.self),
      let payloadBytes = Base64URL.decode(sealed.payload),
      claims.describesSameInstruction(as: request.claims),
      claims.hardwareKey == Base64URL.encode(hardwareKey),
      claims.payloadHash == Base64URL.encode(Digest.sha256(payloadBytes)),
      let payload = try? WireJSON.decode(PinPayload.self, from: payloadBytes),
      let recipientBytes = Base64URL.decode(payload.shareRecipient),
      let recipient = ShareRecipient(recipientBytes)
    else { throw ProblemError(.instructionRefused) }
    if let text = sealed.pinPublicKey {
      guard let key = Base64URL.decode(text), key.count == 32 else {
        throw ProblemError(.instructionRefused)
      }
      pinPublicKey = key
    } else {
      pinPublicKey = nil
    }
    pinKeyOpening = sealed.pinKeyOpening ?? ""
    self.claims = claims
    self.message = message
    self.payloadBytes = payloadBytes
    self.payload = payload
    self.recipient = recipient
  }

  /// Decodes a payload that has more members than a `PinPayload`.
  ///
  /// - Throws: `ProblemError`, instruction-refused.
  package func payload<Payload: Decodable>(as _: Payload.Type) throws(ProblemError) -> Payload {
    guard let payload = try? WireJSON.decode(Payload.self, from: payloadBytes) else {
      throw ProblemError(.instructionRefused)
    }
    return payload
  }

  /// Whether the PIN key `publicKey` signed the inner message.
  ///
  /// - Throws: `ProblemError`, instruction-refused, if the message is not even of the kind that a
  ///   PIN key signs; that does not count as an attempt.
  package func isSigned(byPinKey publicKey: [UInt8]) throws(ProblemError) -> Bool {
    guard let verifier = PublicKeyVerifier(ed25519: publicKey) else {
      throw ProblemError(.instructionRefused)
    }
    do {
      try message.check(type: .pinInstruction, verifier: verifier)
      return true
    } catch {
      guard error == .signatureInvalid else { throw ProblemError(.instructionRefused) }
      return false
    }
  }

  /// Seals an unlock share to the recipient of this request; returns base64url.
  package func sealForRecipient(_ share: [UInt8]) throws(ProblemError) -> String {
    guard let sealed = recipient.seal(share) else { throw ProblemError(.instructionRefused) }
    return Base64URL.encode(sealed)
  }
}

extension InstructionHandler {
  /// The inner message of the request, by this wallet.
  ///
  /// - Throws: `ProblemError`, instruction-refused.
  func pinInstruction(of wallet: StoredWallet) throws(ProblemError) -> PinInstruction {
    try request.checks.inner(hardwareKey: wallet.hardwareKey) { () throws(ProblemError) in
      try PinInstruction(
        opening: request, with: identity.keys.encryption, hardwareKey: wallet.hardwareKey)
    }
  }

  /// Whether the PIN key signed the inner message; throws as `PinInstruction.isSigned`.
  func isSigned(
    _ inner: PinInstruction, byPinKey key: [UInt8]
  ) throws(ProblemError) -> Bool {
    try request.checks.isSigned(byPinKey: key) { () throws(ProblemError) in
      try inner.isSigned(byPinKey: key)
    }
  }
}
