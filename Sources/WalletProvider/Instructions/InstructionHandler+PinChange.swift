import WalletProtocol

/// The key of a wallet that verified a PIN signature.
enum AcceptedPinKey {
  case current
  /// The key of a change that was prepared but not committed.
  case pending
}

extension InstructionHandler {
  /// `prepare_pin_change`: checks the PIN like `check_pin`, with the same count. After a right PIN,
  /// the key of the new PIN is stored next to the current one and replaces any earlier pending key.
  func preparePinChange(
    of wallet: inout StoredWallet, attempt: inout AttemptOutcome?
  ) throws -> InstructionOutcome {
    let inner = try PinInstruction(
      opening: request, with: identity.keys.encryption, hardwareKey: wallet.hardwareKey)
    // Before the PIN is checked: none of these refusals may depend on it.
    let change = try inner.payload(as: PinChangePayload.self)
    let newKey = try newPinKey(in: change)
    guard change.change != wallet.committedChange else { throw ProblemError(.instructionRefused) }
    return try checkPin(in: inner, of: &wallet, attempt: &attempt) { wallet, key in
      // A wallet uses a pending key only after it has given up the current one. If the pending key
      // were just replaced, a lost answer would leave the wallet without any valid PIN.
      if key == .pending { try promotePending(of: &wallet) }
      wallet.pending = StoredWallet.PendingPinKey(
        change: change.change,
        sealedKey: try identity.keys.sealing.seal(
          newKey, purpose: .pendingPinKey, boundTo: wallet.sealOwner(ofChange: change.change)))
    }
  }

  /// `commit_pin_change`; also for a blocked wallet, because no PIN is checked.
  func commitPinChange(of wallet: inout StoredWallet) throws -> InstructionOutcome {
    let change = try request.plainPayload(PinChangeReference.self).change
    if wallet.pending?.change == change { try promotePending(of: &wallet) }
    return wallet.committedChange == change ? .pinChangeCommitted : .unknownPinChange
  }

  /// `cancel_pin_change`; also for a blocked wallet.
  func cancelPinChange(of wallet: inout StoredWallet) throws -> InstructionOutcome {
    let change = try request.plainPayload(PinChangeReference.self).change
    if wallet.committedChange == change { return .pinChangeCommitted }
    if wallet.pending?.change == change { wallet.pending = nil }
    return .pinChangeCancelled
  }

  /// The key of `wallet` that signed `inner`; nil if none did. Every key is tried, whatever the
  /// result for another one.
  func acceptedKey(
    of wallet: StoredWallet, for inner: PinInstruction
  ) throws -> AcceptedPinKey? {
    let current = try identity.keys.sealing.open(.pinKey, of: wallet)
    let pending = try pendingKey(of: wallet)
    let isCurrent = try inner.isSigned(byPinKey: current)
    let isPending = try pending.map { try inner.isSigned(byPinKey: $0) } ?? false
    return isCurrent ? .current : isPending ? .pending : nil
  }

  /// Makes the pending key the only one.
  private func promotePending(of wallet: inout StoredWallet) throws {
    guard let pending = wallet.pending, let key = try pendingKey(of: wallet) else { return }
    wallet.sealedPinKey = try identity.keys.sealing.seal(
      key, purpose: .pinKey, wallet: wallet.id, hardwareKeyHash: wallet.hardwareKeyHash)
    wallet.committedChange = pending.change
    wallet.pending = nil
  }

  private func pendingKey(of wallet: StoredWallet) throws -> [UInt8]? {
    try wallet.pending.map { pending in
      try identity.keys.sealing.open(
        pending.sealedKey, key: wallet.sealingKey, purpose: .pendingPinKey,
        boundTo: wallet.sealOwner(ofChange: pending.change))
    }
  }

  /// Returns the new PIN key after the wallet proved possession of it.
  ///
  /// - Throws: `ProblemError`, instruction-refused. The new key is not compared with a stored one:
  ///   the result would reveal a guess that is not counted.
  private func newPinKey(in payload: PinChangePayload) throws(ProblemError) -> [UInt8] {
    let expected = NewPinKeyProof(
      audience: identity.id, wallet: request.claims.wallet,
      challenge: request.claims.challenge ?? "", change: payload.change)
    guard Base64URL.decode(payload.change)?.count == PinChangeReference.idLength,
      let key = Base64URL.decode(payload.newPinPublicKey),
      let verifier = PublicKeyVerifier(ed25519: key),
      let proof = try? SignedMessage(parsing: payload.proof).content(
        NewPinKeyProof.self, type: .newPinKeyProof, verifier: verifier),
      proof == expected
    else { throw ProblemError(.instructionRefused) }
    return key
  }
}
