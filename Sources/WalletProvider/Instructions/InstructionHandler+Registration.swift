import WalletAttempts
import WalletSignatures
import WalletProtocol

extension InstructionRequest {
  /// Returns the hardware key in a registration, after verifying the signature with it; nil for any
  /// other instruction.
  ///
  /// - Throws: `ProblemError`, malformed-request or signature-invalid.
  package func registeringKey() throws(ProblemError) -> [UInt8]? {
    guard claims.instruction == .register else { return nil }
    guard let text = claims.hardwareKey, let hardwareKey = Base64URL.decode(text),
      (try? SubjectPublicKey(der: hardwareKey)) != nil
    else { throw ProblemError(.malformedRequest) }
    try checkSignature(hardwareKey: hardwareKey)
    return hardwareKey
  }
}

extension InstructionHandler {
  /// `register`: makes a wallet, identified by its hardware key, that has yet to be confirmed.
  func register(_ hardwareKey: [UInt8]) throws -> HandledInstruction {
    let known = stored.flatMap { isAlive($0) ? $0 : nil }
    if known == nil, let stored {
      // It has ended, and is not deleted yet.
      for key in stored.pinKeyIDs { _ = try evaluator(.delete(key: key)) }
      try rows.endWallet(
        id: stored.id, settings: provider.settings.proofing.statusLists, now: now)
    }
    // Before anything sealed is opened: neither the answer nor its timing may depend on the PIN.
    if known?.confirmed == true {
      return HandledInstruction(answer: try answer(.alreadyRegistered))
    }

    var challenge = try registrationChallenge()
    if let use = challenge.use {
      // The wallet that it made may have been deleted; the same bytes must not make it again.
      guard known != nil else { throw ProblemError(.challengeUsed) }
      return HandledInstruction(answer: use.answer)
    }
    // A delayed registration must not replace a later one. A new wallet may begin with 0.
    let last = known?.sequence ?? 0
    guard
      SequenceNumber.mayFollow(last, request.claims.sequence)
        || known == nil && request.claims.sequence == 0
    else { return HandledInstruction(answer: try answer(.sequenceRefused(current: last))) }

    let inner = try PinInstruction(
      opening: request, with: identity.keys.encryption, hardwareKey: hardwareKey)
    guard let pinKey = inner.pinPublicKey, try inner.isSigned(byPinKey: pinKey) else {
      throw ProblemError(.instructionRefused)
    }
    let state = try registrationState(inner.payload.registrationState, hardwareKey: hardwareKey)
    guard inner.claims.evaluation == state.evaluation, inner.claims.blinded == state.blinded else {
      throw ProblemError(.instructionRefused)
    }
    let adoption = PinKeyAdoption(
      signature: request.envelope.signature, message: inner.compact,
      publicKey: Base64URL.encode(pinKey), opening: inner.pinKeyOpening)
    let receipt: String
    switch try evaluator(.adopt(key: state.pinKeyID, adoption: adoption)) {
    case .adopted(let given): receipt = given
    case .unknownKey: throw ProblemError(.challengeRefused)
    default: throw ProblemError(.instructionRefused)
    }
    // A registration that was never confirmed is replaced, with its PIN key.
    for key in known?.pinKeyIDs ?? [] { _ = try evaluator(.delete(key: key)) }

    let share = SecureRandom.bytes(32)
    let wallet = try newWallet(
      id: known?.id ?? SecureRandom.identifier(), hardwareKey: hardwareKey,
      hash: Digest.sha256(hardwareKey), pinKey: pinKey, state: state, share: share)
    if known == nil { try rows.insert(wallet) } else { try rows.update(wallet) }

    let answer = try answer(
      .registered(
        certificate: try certificate(of: wallet), share: try inner.sealForRecipient(share),
        receipt: receipt))
    // A stored challenge means that it made a wallet. The row stays until the challenge expires.
    challenge.use = StoredChallenge.Use(requestHash: request.hash, answer: answer)
    try rows.insert(challenge)
    return HandledInstruction(answer: answer)
  }

  /// The live challenge that the request names. It has a use if it made a wallet already.
  ///
  /// - Throws: `ProblemError`: challenge-refused, or challenge-used if another request used it.
  private func registrationChallenge() throws -> StoredChallenge {
    guard let bytes = request.challenge,
      let expiry = try RegistrationChallenges(sealing: identity.keys.sealing).expiry(of: bytes),
      expiry > now
    else { throw ProblemError(.challengeRefused) }
    guard let stored = try rows.challenge(bytes) else {
      // Its row is not tied to the wallet, so that it outlives a deletion of the wallet.
      return StoredChallenge(
        challenge: bytes, purpose: InstructionName.register.rawValue, wallet: nil,
        expiresAt: expiry)
    }
    guard stored.use?.requestHash == request.hash else { throw ProblemError(.challengeUsed) }
    return stored
  }

  private func newWallet(
    id: String, hardwareKey: [UInt8], hash: [UInt8], pinKey: [UInt8], state: RegistrationState,
    share: [UInt8]
  ) throws -> StoredWallet {
    let sealing = identity.keys.sealing
    let half = Base64URL.decode(state.half) ?? []
    return StoredWallet(
      id: id, registration: request.claims.wallet, hardwareKey: hardwareKey, hardwareKeyHash: hash,
      sealingKey: sealing.id,
      sealedPinKey: try sealing.seal(pinKey, purpose: .pinKey, wallet: id, hardwareKeyHash: hash),
      pinKeyID: state.pinKeyID,
      sealedHalf: try sealing.seal(half, purpose: .half, wallet: id, hardwareKeyHash: hash),
      sealedShare: try sealing.seal(share, purpose: .share, wallet: id, hardwareKeyHash: hash),
      sequence: request.claims.sequence, confirmed: false, registeredAt: now,
      attempts: AttemptState())
  }

  private func certificate(of wallet: StoredWallet) throws -> String {
    // Attestations are not verified yet, so none is claimed.
    let claims = CertificateClaims(
      issuer: identity.id, wallet: wallet.id, registration: wallet.registration,
      hardwareKeyHash: Base64URL.encode(wallet.hardwareKeyHash), attested: false,
      issuedAt: now / 1000)
    return try SignedMessage.sign(claims, type: .certificate, signer: identity.keys.certificate)
  }
}
