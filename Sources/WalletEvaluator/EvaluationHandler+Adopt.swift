import WalletAttempts
import WalletProtocol
import WalletSignatures

extension EvaluationHandler {
  func adopt(_ id: String, _ adoption: PinKeyAdoption) throws -> EvaluatorAnswer {
    guard var wallet = try wallet(key: id), var key = wallet.key(id),
      key.publicKey != nil || key.openedAt > now - Evaluator.adoptionLife
    else { return .unknownKey }
    let isCurrent = wallet.current.id == id
    guard let publicKey = Base64URL.decode(adoption.publicKey),
      key.publicKey == nil || key.publicKey == publicKey,
      let outer = HardwareSignature(
        adoption.signature, of: isCurrent ? .register : .preparePinChange,
        by: wallet.hardwareKey),
      outer.audience == wallet.audience, outer.commits(to: publicKey, opening: adoption.opening),
      isCurrent
        ? isRegistration(adoption, outer, of: wallet, publicKey)
        : isChange(adoption, outer, of: wallet, to: key, publicKey)
    else { return .refused }
    let receipt = try SignedMessage.sign(
      EvaluatorReceipt(key: id, pinKeyCommitment: outer.commitment), type: .evaluatorReceipt,
      signer: keys.signer(key.grantKey))
    guard key.publicKey == nil else { return .adopted(receipt: receipt) }
    key.publicKey = publicKey
    if isCurrent {
      wallet.current = key
      wallet.expiresAt = nil
    } else {
      wallet.pending = key
    }
    try rows.update(wallet)
    return .adopted(receipt: receipt)
  }

  /// Whether the PIN key of a registration signed its inner message.
  private func isRegistration(
    _ adoption: PinKeyAdoption, _ outer: HardwareSignature, of wallet: EvaluatedWallet,
    _ publicKey: [UInt8]
  ) -> Bool {
    let key = wallet.current
    guard adoption.payload == nil,
      let message = PinSignature(
        adoption.message, type: .pinInstruction, by: publicKey, evaluation: key.opening,
        blinded: key.blinded)
    else { return false }
    return message.claims.challenge == outer.challenge
      && message.claims.hardwareKey == Base64URL.encode(wallet.hardwareKey)
  }

  /// Whether the PIN key in force signed that this new one is to take its place, and the new one
  /// that the wallet has it. Without the former, whoever has the hardware key could adopt a key of
  /// his own, and take back attempts with it.
  private func isChange(
    _ adoption: PinKeyAdoption, _ outer: HardwareSignature, of wallet: EvaluatedWallet,
    to key: EvaluatedKey, _ publicKey: [UInt8]
  ) -> Bool {
    guard let current = wallet.current.publicKey, let payload = adoption.payload,
      let message = ChangeSignature(adoption.message, payload: payload, by: current),
      message.fits(outer, hardwareKey: wallet.hardwareKey, publicKey: publicKey),
      let proof = PinSignature(
        message.proof, type: .newPinKeyProof, by: publicKey, evaluation: key.opening,
        blinded: key.blinded)
    else { return false }
    return proof.claims.challenge == outer.challenge
  }
}
