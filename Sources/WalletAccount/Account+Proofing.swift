public import WalletCrypto
public import WalletModel
internal import WalletPlatform
public import WalletProtocol
internal import WalletStorage

// The instructions of the identity proofing. Payloads with a secret or personal data are sealed to
// the provider. A server that only terminates TLS can therefore not read them.

/// The provider's answer to a claim.
public enum ClaimAnswer: Equatable, Sendable {
  case claimed(ProofingSession)
  case refused(CodeRefusal)
}

/// The provider's answer to a request for a PID.
public enum IssuanceAnswer: Sendable {
  /// The unverified copies of the PID, each an SD-JWT VC in compact form.
  case issued([String])
  /// No PID can be issued, or not yet. `proofed` means: only after the PIN was checked once more.
  case status(ProofingStatus)
}

extension Account {
  /// Claims the enrolment code that contains `secret`. Claiming it again has no further effect.
  public func claim(_ secret: Secret) throws(WalletError) -> ClaimAnswer {
    let outcome = try performSealed(.claimEnrolmentCode) { wallet, challenge in
      try ClaimPayload.json(wallet: wallet, challenge: challenge, secret: secret)
    }
    switch outcome {
    case .claimed(let session): return .claimed(session)
    case .codeRefused(let refusal): return .refused(refusal)
    default: throw Self.unexpectedAnswer(to: "a claim")
    }
  }

  /// Releases a claim.
  public func releaseClaim(_ session: String) throws(WalletError) {
    guard try perform(.releaseClaim, session) == .released else {
      throw Self.unexpectedAnswer(to: "a release")
    }
  }

  /// Submits evidence. The provider counts repetitions with the same idempotency key as one
  /// submission.
  public func submit<Evidence: Codable & Sendable>(
    _ evidence: Evidence, idempotencyKey: String, session: String
  ) throws(WalletError) -> ProofingStatus {
    let outcome = try performSealed(.submitEvidence) { wallet, challenge in
      try Secret(
        encoding: SubmissionPayload(
          wallet: wallet, challenge: challenge, session: session, idempotencyKey: idempotencyKey,
          evidence: evidence))
    }
    guard case .proofing(let status) = outcome else {
      throw Self.unexpectedAnswer(to: "a submission")
    }
    return status
  }

  /// Returns the state of the proofing.
  public func proofingStatus(_ session: String) throws(WalletError) -> ProofingStatus {
    guard case .proofing(let status) = try perform(.proofingStatus, session) else {
      throw Self.unexpectedAnswer(to: "a status request")
    }
    return status
  }

  /// Requests the PID, in a copy for each of `keys`. Requesting it again for the same keys has no
  /// further effect.
  ///
  /// - Throws: `cardKeyLost` if the platform has lost one of the keys.
  public func issuePID(_ session: String, for keys: [CardKey]) throws(WalletError) -> IssuanceAnswer
  {
    try translating {
      let recipient = try SealedBox.Recipient()
      let outcome = try performSealed(.issuePID) { wallet, challenge in
        let proof = PIDKeyProofClaims(
          audience: configuration.providerID, wallet: wallet, session: session,
          challenge: challenge)
        return try Secret(
          encoding: IssuancePayload(
            session: session,
            keys: try keys.map { key in
              IssuancePayload.Key(
                key: Base64URL.encode(key.subjectKey.der),
                proof: try SignedMessage.sign(
                  proof, type: .pidKeyProof, signer: signer(of: key)))
            }, recipient: Base64URL.encode(recipient.publicKey)))
      }
      switch outcome {
      case .pid(let sealed):
        // These bytes contain claims with their salts, so they are wiped.
        var bytes = try recipient.openAnswer(sealed).disclosed()
        defer { bytes.withUnsafeMutableBytes { Memory.wipe($0) } }
        guard let pid = try? WireJSON.decode(IssuedPID.self, from: bytes) else {
          throw Self.unexpectedAnswer(to: "an issuance")
        }
        return .issued(pid.copies)
      case .proofing(let status): return .status(status)
      default: throw Self.unexpectedAnswer(to: "an issuance")
      }
    }
  }

  private func performSealed(
    _ name: InstructionName,
    _ payload: (_ wallet: String, _ challenge: String) throws -> Secret
  ) throws(WalletError) -> InstructionOutcome {
    try translating {
      let record = try confirmedRegistration()
      let client = client(try hardwareKey(of: record))
      return try perform(name, record) { given in
        try client.prepareSealed(
          name, wallet: given.wallet, payload: try payload(given.wallet, given.challenge),
          challenge: given.challenge, sequence: given.sequence)
      }
    }
  }

  private func perform(
    _ name: InstructionName, _ session: String
  ) throws(WalletError) -> InstructionOutcome {
    try translating {
      try performPlain(
        name, try confirmedRegistration(), payload: SessionPayload(session: session))
    }
  }

  private static func unexpectedAnswer(to purpose: String) -> WalletError {
    WalletError(.serverRefused, "The provider's answer does not fit \(purpose).")
  }
}

extension ClaimPayload {
  /// Returns the JSON of a claim, with the secret in guarded memory throughout.
  static func json(wallet: String, challenge: String, secret: Secret) throws -> Secret {
    try Secret(
      .object([
        ("challenge", try .json(challenge)), ("secret", .bytes(.secret(secret))),
        ("wallet", try .json(wallet)),
      ]))
  }
}
