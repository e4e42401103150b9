import WalletProtocol

extension Judging {
  /// `register`: makes an account that waits for its confirmation, keyed by the hardware key.
  func register() throws -> Verdict {
    guard let text = request.claims.hardwareKey, let hardwareKey = Base64URL.decode(text),
      (try? SubjectPublicKey(der: hardwareKey)) != nil
    else { throw ProblemError(.malformedRequest) }
    try request.checkSignature(hardwareKey: hardwareKey)

    let hash = Digest.sha256(hardwareKey)
    try rows.deleteUnconfirmedWallets(registeredBy: now - provider.settings.unconfirmedLife)
    let known = try rows.wallet(hardwareKeyHash: hash)
    // Before anything sealed is opened: neither the answer nor its time may depend on the PIN.
    if known?.confirmed == true { return Verdict(answer: try answer(.alreadyRegistered)) }

    let challenge = try challenge(givenTo: nil)
    if let use = challenge.use { return Verdict(answer: use.answer) }
    // A registration that was held back must not replace one that was made after it.
    if let known, request.claims.sequence <= known.sequence {
      return Verdict(answer: try answer(.sequenceRefused(current: known.sequence)))
    }

    let inner = try PinInstruction(
      opening: request, with: identity.keys.encryption, hardwareKey: hardwareKey)
    guard let pinKey = inner.pinPublicKey, try inner.isSigned(byPinKey: pinKey) else {
      throw ProblemError(.instructionRefused)
    }

    let share = SecureRandom.bytes(32)
    let wallet = try account(
      id: known?.id ?? SecureRandom.identifier(), hardwareKey: hardwareKey,
      hash: hash, pinKey: pinKey, share: share)
    if known == nil { try rows.insert(wallet) } else { try rows.update(wallet) }

    let answer = try answer(
      .registered(
        certificate: try certificate(of: wallet), share: try inner.sealForRecipient(share)))
    try use(challenge, wallet: wallet.id, answer: answer)
    return Verdict(answer: answer)
  }

  private func account(
    id: String, hardwareKey: [UInt8], hash: [UInt8], pinKey: [UInt8], share: [UInt8]
  ) throws -> StoredWallet {
    let sealing = identity.keys.sealing
    return StoredWallet(
      id: id, registration: request.claims.wallet, hardwareKey: hardwareKey, hardwareKeyHash: hash,
      sealingKey: sealing.id,
      sealedPinKey: try sealing.seal(pinKey, place: .pinKey, wallet: id, hardwareKeyHash: hash),
      sealedShare: try sealing.seal(share, place: .share, wallet: id, hardwareKeyHash: hash),
      sequence: request.claims.sequence, confirmed: false, registeredAt: now,
      attempts: AttemptState())
  }

  private func certificate(of wallet: StoredWallet) throws -> String {
    // No attestation is verified yet, so none is claimed.
    let claims = CertificateClaims(
      issuer: identity.id, wallet: wallet.id, registration: wallet.registration,
      hardwareKeyHash: Base64URL.encode(wallet.hardwareKeyHash), attested: false,
      issuedAt: now / 1000)
    return try SignedMessage.sign(claims, type: .certificate, signer: identity.keys.certificate)
  }
}
