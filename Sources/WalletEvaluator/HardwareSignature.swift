import WalletProtocol
import WalletSignatures

/// The outer claims of an instruction that names a PIN key, signed by the wallet's hardware key.
struct HardwareSignature {
  private let claims: InstructionClaims

  /// Nil unless the hardware key with this SubjectPublicKeyInfo signed such an instruction.
  init?(_ compact: String, of instruction: InstructionName, by hardwareKey: [UInt8]) {
    guard let message = try? SignedMessage(parsing: compact),
      let subject = try? SubjectPublicKey(der: hardwareKey),
      let verifier = PublicKeyVerifier(subject),
      let claims = try? message.content(
        InstructionClaims.self, type: .instruction, verifier: verifier),
      claims.version == wireVersion, claims.instruction == instruction
    else { return nil }
    self.claims = claims
  }

  var audience: String { claims.audience }
  var challenge: String? { claims.challenge }
  var commitment: String { claims.pinKeyCommitment ?? "" }

  /// Whether the wallet means this PIN public key.
  ///
  /// - Parameter opening: base64url of the 32 random bytes of the commitment.
  func commits(to publicKey: [UInt8], opening: String) -> Bool {
    guard let opening = Base64URL.decode(opening), opening.count == PinKeyAdoption.openingLength
    else { return false }
    return claims.pinKeyCommitment == Base64URL.encode(Digest.sha256(opening + publicKey))
  }
}
