public import WalletCrypto
public import WalletModel
internal import WalletPlatform
public import WalletProtocol
internal import WalletStorage

// The instructions of the identity proofing. What holds a secret or speaks of a person is sealed to the
// provider, so that whoever terminates TLS learns neither.

/// What became of a claim.
public enum ClaimAnswer: Equatable, Sendable {
  case claimed(ProofingSession)
  case refused(CodeRefusal)
}

/// What a request for a PID brought.
public enum IssuanceAnswer: Sendable {
  /// The PID, an SD-JWT VC in compact form, not verified yet, and the key that it was asked for.
  case issued(Secret, PIDKey)
  /// There is none to be had, or not now.
  case status(ProofingStatus)
}

extension Account {
  /// Claims the enrolment code that has this secret. Repeating it is free.
  public func claim(_ secret: Secret) throws(WalletError) -> ClaimAnswer {
    let outcome = try performSealed(.claimEnrolmentCode) { wallet, challenge in
      try ClaimPayload.json(wallet: wallet, challenge: challenge, secret: secret)
    }
    switch outcome {
    case .claimed(let session): return .claimed(session)
    case .codeRefused(let refusal): return .refused(refusal)
    default: throw Self.misfit("a claim")
    }
  }

  /// Gives a claim back.
  public func releaseClaim(_ session: String) throws(WalletError) {
    guard try perform(.releaseClaim, session) == .released else {
      throw Self.misfit("a release")
    }
  }

  /// Submits evidence; under the same key again and again the same submission.
  public func submit<Evidence: Codable & Sendable>(
    _ evidence: Evidence, idempotencyKey: String, session: String
  ) throws(WalletError) -> ProofingStatus {
    let outcome = try performSealed(.submitEvidence) { wallet, challenge in
      try Secret(
        encoding: SubmissionPayload(
          wallet: wallet, challenge: challenge, session: session, idempotencyKey: idempotencyKey,
          evidence: evidence))
    }
    guard case .proofing(let status) = outcome else { throw Self.misfit("a submission") }
    return status
  }

  /// Asks how the proofing stands.
  public func proofingStatus(_ session: String) throws(WalletError) -> ProofingStatus {
    guard case .proofing(let status) = try perform(.proofingStatus, session) else {
      throw Self.misfit("a question for the status")
    }
    return status
  }

  /// Has the PID issued for the PID key of this wallet, which is made where there is none that waits
  /// for its PID.
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
      default: throw Self.misfit("an issuance")
      }
    }
  }

  /// A key that the platform has lost before it had a PID is no loss: the next try makes another.
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
      return try perform(name, record) { wallet, challenge, sequence in
        try client.prepareSealed(
          name, wallet: wallet, payload: try payload(wallet, challenge), challenge: challenge,
          sequence: sequence)
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

  private static func misfit(_ purpose: String) -> WalletError {
    WalletError(.serverRefused, "The provider's answer does not fit \(purpose).")
  }
}

extension ClaimPayload {
  /// The JSON of a claim, with the secret in guarded memory throughout.
  static func json(wallet: String, challenge: String, secret: Secret) throws -> Secret {
    let head =
      Array(#"{"challenge":"#.utf8) + (try WireJSON.encode(challenge)) + Array(#","secret":""#.utf8)
    let tail = Array(#"","wallet":"#.utf8) + (try WireJSON.encode(wallet)) + Array("}".utf8)
    let secretEnd = head.count + Base64URL.encodedLength(secret.count)
    return try Secret(count: secretEnd + tail.count) { target in
      target.copyBytes(from: head)
      var position = head.count
      secret.withBytes { bytes in
        Base64URL.encode(bytes) { character in
          target[position] = character
          position += 1
        }
      }
      UnsafeMutableRawBufferPointer(rebasing: target[secretEnd...]).copyBytes(from: tail)
    }
  }
}
