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
  /// The unverified PID, an SD-JWT VC in compact form, and the key that it was requested for.
  case issued(Secret, PIDKey)
  /// No PID can be issued, or not yet.
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

  /// Requests the PID for this wallet's PID key, which is made if none is prepared.
  public func issuePID(_ session: String) throws(WalletError) -> IssuanceAnswer {
    let key = try preparePIDKey()
    return try translating {
      let recipient = try SealedBox.Recipient()
      let signer = signer(of: key)
      let outcome = try performSealed(.issuePID) { wallet, challenge in
        let proof = PIDKeyProofClaims(
          audience: configuration.providerID, wallet: wallet, session: session,
          challenge: challenge)
        return try Secret(
          encoding: IssuancePayload(
            session: session, key: Base64URL.encode(key.subjectKey.der),
            proof: try prove(proof, with: signer),
            recipient: Base64URL.encode(recipient.publicKey)))
      }
      switch outcome {
      case .pid(let sealed):
        return .issued(try recipient.openAnswer(sealed), key)
      case .proofing(let status): return .status(status)
      default: throw Self.unexpectedAnswer(to: "an issuance")
      }
    }
  }

  /// Signs the proof. If the platform has lost the key, no PID is lost with it, because none was
  /// issued for it yet: the next try makes another key.
  private func prove(_ proof: PIDKeyProofClaims, with signer: some Signer) throws -> String {
    do {
      return try SignedMessage.sign(proof, type: .pidKeyProof, signer: signer)
    } catch let error as WalletError where error.kind == .cardKeyLost {
      try forgetWaitingPIDKey()
      throw WalletError(
        .bridgeFailed, "The platform has lost the key that a PID was to get; try again.")
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
