import WalletProtocol
import WalletSignatures

extension InstructionHandler {
  /// `authorize_use`: checks the PIN like `check_pin`, with the same count. After a right PIN the
  /// slots of the wallet are opened to the recipient of this request. Nothing of it is stored but
  /// the answer, as that of every request, so a repetition does no harm.
  func authorizeUse(
    of wallet: inout StoredWallet, attempt: inout AttemptOutcome?
  ) throws -> InstructionOutcome {
    let inner = try pinInstruction(of: wallet)
    // Before the PIN is checked: no refusal may depend on it.
    let payload = try inner.payload(as: UsePayload.self)
    guard payload.slots.count <= UsePayload.maximumSlots,
      Base64URL.decode(payload.act)?.count == UsePayload.actLength
    else { throw ProblemError(.instructionRefused) }
    let outcome = try checkPin(in: inner, of: &wallet, attempt: &attempt)
    guard case .valid(_, let failures, _) = outcome else { return outcome }
    var verdicts: [SlotVerdict] = []
    var keys: [UInt8] = []
    for slot in payload.slots {
      do throws(UseKeyProblem) {
        keys += try identity.keys.use.slotKey(in: slot, of: wallet.id)
        verdicts.append(.opened)
      } catch {
        verdicts.append(error == .unknownKey ? .unknownKey : .doesNotOpen)
      }
    }
    return .authorized(
      slots: verdicts, keys: try inner.sealForRecipient(keys), failures: failures)
  }
}

extension UseKeys {
  /// The key of a slot, if it is one of this wallet.
  fileprivate func slotKey(
    in slot: SlotReference, of wallet: String
  ) throws(UseKeyProblem) -> ArraySlice<UInt8> {
    guard let box = Base64URL.decode(slot.box),
      let parts = SlotKeyMessage.parts(of: try open(box, keyID: slot.useKey)),
      Digest.isSHA256(Array(parts.walletHash), of: wallet.utf8)
    else { throw .doesNotOpen }
    return parts.key
  }
}
