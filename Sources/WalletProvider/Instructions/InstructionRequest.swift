import WalletSignatures
package import WalletProtocol

/// A parsed but unauthenticated request: its form is valid and its payload hash matches, but no
/// signature was verified.
package struct InstructionRequest: Sendable {
  /// The longest wallet or registration id that is accepted, in bytes.
  static let longestID = 128

  package let claims: InstructionClaims
  package let payload: [UInt8]
  /// The challenge in `claims`; nil for an instruction without one.
  package let challenge: [UInt8]?
  /// SHA-256 of the outer compact JWS.
  let hash: [UInt8]

  /// The request as it came.
  let envelope: InstructionEnvelope

  private let message: SignedMessage

  /// What is known of it after its first transaction.
  let checks = RequestChecks()

  /// - Throws: `ProblemError`, malformed-request or instruction-refused.
  package init(
    parsing body: [UInt8], instruction: InstructionName, audience: String
  ) throws(ProblemError) {
    do {
      envelope = try WireJSON.decode(InstructionEnvelope.self, from: body)
      message = try SignedMessage(parsing: envelope.signature)
      claims = try message.unverifiedContent(InstructionClaims.self)
      guard let payload = Base64URL.decode(envelope.payload) else {
        throw WireError.encodingRefused
      }
      self.payload = payload
      hash = Digest.sha256(message.compact.utf8)
    } catch { throw ProblemError(.malformedRequest) }
    guard Self.isID(claims.wallet), claims.sequence < SequenceNumber.limit else {
      throw ProblemError(.malformedRequest)
    }
    guard claims.version == wireVersion, claims.audience == audience,
      claims.instruction == instruction,
      claims.payloadHash == Base64URL.encode(Digest.sha256(payload))
    else { throw ProblemError(.instructionRefused) }
    challenge = try Self.challenge(in: claims)
  }

  /// Whether the text may be an id: printable ASCII of limited length.
  static func isID(_ text: String) -> Bool {
    (1...longestID).contains(text.utf8.count)
      && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
  }

  private static func challenge(in claims: InstructionClaims) throws(ProblemError) -> [UInt8]? {
    if claims.instruction == .challenge {
      guard claims.challenge == nil else { throw ProblemError(.instructionRefused) }
      return nil
    }
    guard let text = claims.challenge, let bytes = Base64URL.decode(text), bytes.count == 32 else {
      throw ProblemError(.challengeRefused)
    }
    return bytes
  }

  /// Verifies the outer signature with the hardware key `subjectPublicKeyInfo`.
  ///
  /// - Throws: `ProblemError`, signature-invalid.
  func checkSignature(hardwareKey subjectPublicKeyInfo: [UInt8]) throws(ProblemError) {
    try checks.outer(hardwareKey: subjectPublicKeyInfo) { () throws(ProblemError) in
      guard let subject = try? SubjectPublicKey(der: subjectPublicKeyInfo),
        let verifier = PublicKeyVerifier(subject),
        (try? message.check(type: .instruction, verifier: verifier)) != nil
      else { throw ProblemError(.signatureInvalid) }
    }
  }

  /// Decodes the payload of an instruction that is not sealed.
  ///
  /// - Throws: `ProblemError`, malformed-request.
  package func plainPayload<Payload: Decodable>(_: Payload.Type) throws(ProblemError) -> Payload {
    guard let payload = try? WireJSON.decode(Payload.self, from: payload) else {
      throw ProblemError(.malformedRequest)
    }
    return payload
  }
}
