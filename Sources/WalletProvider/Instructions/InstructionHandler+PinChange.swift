import WalletOPRF
import WalletProtocol
import WalletSignatures

extension InstructionHandler {
  /// `begin_pin_change`: checks the PIN like `check_pin`, with the same count. After a right PIN,
  /// the new PIN is evaluated once, with a new key. An earlier change that was not committed is
  /// forgotten.
  func beginPinChange(
    of wallet: inout StoredWallet, attempt: inout AttemptOutcome?
  ) throws -> InstructionOutcome {
    let inner = try pinInstruction(of: wallet)
    // Before the PIN is checked: none of these refusals may depend on it.
    let change = try inner.payload(as: PinChangeBeginning.self).change
    guard Base64URL.decode(change)?.count == PinChangeReference.idLength,
      change != wallet.committedChange,
      let blinded = inner.claims.newBlinded.flatMap({ Base64URL.decode($0) }),
      (try? GroupElement(serialized: blinded)) != nil
    else { throw ProblemError(.instructionRefused) }
    return try checkPin(in: inner, of: &wallet, attempt: &attempt) { wallet, next in
      guard let next else { throw StoreFailure("the evaluator did not evaluate a new PIN") }
      let half = try ProviderHalf()
      wallet.pending = StoredWallet.PendingPinKey(
        change: change, pinKeyID: next.key,
        sealedHalf: try identity.keys.sealing.seal(
          half.bytes, purpose: .pendingHalf, boundTo: wallet.sealOwner(ofChange: change)))
      return try half.completed(next, isNew: true)
    }
  }

  /// `prepare_pin_change`: stores the key of the new PIN next to the current one. The PIN was checked
  /// when the change began, so this is no attempt: without an evaluation of the right PIN, nobody
  /// can sign with its key.
  func preparePinChange(of wallet: inout StoredWallet) throws -> InstructionOutcome {
    let inner = try pinInstruction(of: wallet)
    let change = try inner.payload(as: PinChangePayload.self)
    guard let pending = wallet.pending, pending.change == change.change, !isBlocked(wallet),
      let key = try pinKey(wallet.pinKeyID, of: wallet), try isSigned(inner, byPinKey: key)
    else { throw ProblemError(.instructionRefused) }
    let newKey = try newPinKey(in: change)
    let adoption = PinKeyAdoption(
      signature: request.envelope.signature, message: inner.compact, payload: inner.payloadText,
      publicKey: change.newPinPublicKey, opening: inner.pinKeyOpening)
    guard case .adopted = try evaluator(.adopt(key: pending.pinKeyID, adoption: adoption)) else {
      throw ProblemError(.instructionRefused)
    }
    let sealed = try identity.keys.sealing.seal(
      newKey, purpose: .pendingPinKey, boundTo: wallet.sealOwner(ofChange: change.change))
    wallet.pending?.sealedKey = sealed
    let share = try inner.sealForRecipient(try identity.keys.sealing.open(.share, of: wallet))
    return .valid(share: share)
  }

  /// `commit_pin_change`; also for a blocked wallet, because no PIN is checked.
  func commitPinChange(of wallet: inout StoredWallet) throws -> InstructionOutcome {
    let change = try request.plainPayload(PinChangeReference.self).change
    if let pending = wallet.pending, pending.change == change, pending.sealedKey != nil {
      guard case .done = try evaluator(.commit(key: pending.pinKeyID)) else {
        throw StoreFailure("the evaluator does not know the new PIN key of a wallet")
      }
      try promotePending(of: &wallet)
    }
    return wallet.committedChange == change ? .pinChangeCommitted : .unknownPinChange
  }

  /// `cancel_pin_change`; also for a blocked wallet.
  func cancelPinChange(of wallet: inout StoredWallet) throws -> InstructionOutcome {
    let change = try request.plainPayload(PinChangeReference.self).change
    if wallet.committedChange == change { return .pinChangeCommitted }
    if let pending = wallet.pending, pending.change == change {
      guard case .done = try evaluator(.cancel(key: pending.pinKeyID)) else {
        // The evaluator has put the new key into force already, before the provider could.
        guard pending.sealedKey != nil else { throw ProblemError(.instructionRefused) }
        try promotePending(of: &wallet)
        return .pinChangeCommitted
      }
      wallet.pending = nil
    }
    return .pinChangeCancelled
  }

  /// The public half of a PIN key of the wallet; nil if it has no such key in use.
  func pinKey(_ id: String, of wallet: StoredWallet) throws -> [UInt8]? {
    if id == wallet.pinKeyID { return try identity.keys.sealing.open(.pinKey, of: wallet) }
    guard let pending = wallet.pending, pending.pinKeyID == id, let sealed = pending.sealedKey
    else { return nil }
    return try open(sealed, .pendingPinKey, of: wallet, pending)
  }

  /// Makes the pending key the only one.
  func promotePending(of wallet: inout StoredWallet) throws {
    guard let pending = wallet.pending, let sealedKey = pending.sealedKey else { return }
    let sealing = identity.keys.sealing
    func moved(
      _ sealed: [UInt8], _ from: SealingPurpose, _ purpose: SealingPurpose
    ) throws -> [UInt8] {
      try sealing.seal(
        open(sealed, from, of: wallet, pending), purpose: purpose, wallet: wallet.id,
        hardwareKeyHash: wallet.hardwareKeyHash)
    }
    wallet.sealedPinKey = try moved(sealedKey, .pendingPinKey, .pinKey)
    wallet.sealedHalf = try moved(pending.sealedHalf, .pendingHalf, .half)
    wallet.pinKeyID = pending.pinKeyID
    wallet.committedChange = pending.change
    wallet.pending = nil
  }

  private func open(
    _ sealed: [UInt8], _ purpose: SealingPurpose, of wallet: StoredWallet,
    _ pending: StoredWallet.PendingPinKey
  ) throws -> [UInt8] {
    try identity.keys.sealing.open(
      sealed, key: wallet.sealingKey, purpose: purpose,
      boundTo: wallet.sealOwner(ofChange: pending.change))
  }

  /// Returns the new PIN key after the wallet proved possession of it.
  ///
  /// - Throws: `ProblemError`, instruction-refused. The new key is not compared with a stored one:
  ///   the result would reveal a guess that is not counted.
  private func newPinKey(in payload: PinChangePayload) throws(ProblemError) -> [UInt8] {
    guard let key = Base64URL.decode(payload.newPinPublicKey),
      let verifier = PublicKeyVerifier(ed25519: key),
      let proof = try? SignedMessage(parsing: payload.proof).content(
        NewPinKeyProof.self, type: .newPinKeyProof, verifier: verifier),
      proof.version == wireVersion, proof.audience == identity.id,
      proof.wallet == request.claims.wallet, proof.challenge == request.claims.challenge,
      proof.change == payload.change
    else { throw ProblemError(.instructionRefused) }
    return key
  }
}
