import WalletProtocol
import WalletSignatures
import WalletOPRF

/// A wallet's `challenge` with a blinded PIN, forwarded by the provider.
struct ForwardedChallenge {
  let claims: InstructionClaims
  let payload: ChallengePayload
  let blinded: GroupElement
  /// SHA-256 of the compact JWS.
  let hash: [UInt8]

  private let message: SignedMessage

  /// Nil for anything that is not such a request; its signature is not checked yet.
  init?(_ envelope: InstructionEnvelope) {
    guard let message = try? SignedMessage(parsing: envelope.signature),
      let claims = try? message.unverifiedContent(InstructionClaims.self),
      let payloadBytes = Base64URL.decode(envelope.payload),
      claims.payloadHash == Base64URL.encode(Digest.sha256(payloadBytes)),
      claims.version == wireVersion, claims.instruction == .challenge,
      claims.sequence < SequenceNumber.limit,
      let payload = try? WireJSON.decode(ChallengePayload.self, from: payloadBytes),
      let blinded = payload.blinded.flatMap({ Base64URL.decode($0) }),
      let element = try? GroupElement(serialized: blinded)
    else { return nil }
    self.claims = claims
    self.payload = payload
    self.blinded = element
    self.message = message
    hash = Digest.sha256(envelope.signature.utf8)
  }

  /// Whether the hardware key with this SubjectPublicKeyInfo signed the request.
  func isSigned(by hardwareKey: [UInt8]) -> Bool {
    guard let subject = try? SubjectPublicKey(der: hardwareKey),
      let verifier = PublicKeyVerifier(subject)
    else { return false }
    return (try? message.check(type: .instruction, verifier: verifier)) != nil
  }
}
