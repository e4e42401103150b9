import Foundation
import WalletProtocol
import WalletProvider

extension TestWallet {
  static func newChange() -> String {
    Base64URL.encode((0..<16).map { _ in UInt8.random(in: 0...255) })
  }

  /// A preparation; `tamper` changes the payload, `tamperProof` the claims that the new key signs.
  func prepareChange(
    from pin: String, to newPin: String, change: String, challenge: String,
    sequence: UInt64? = nil, proofType: SignedMessageType = .newPinKeyProof,
    tamper: (inout PinChangePayload) -> Void = { _ in },
    tamperProof: (inout NewPinKeyProof) -> Void = { _ in }
  ) throws -> Prepared {
    let key = try TestPinKey(pin: newPin, salt: salt)
    var proof = NewPinKeyProof(
      audience: harness.configuration.providerID, wallet: id, challenge: challenge, change: change)
    tamperProof(&proof)
    var payload = PinChangePayload(
      shareRecipient: Base64URL.encode(shareKey.publicKey), change: change,
      newPinPublicKey: Base64URL.encode(key.publicKey),
      proof: try SignedMessage.sign(proof, type: proofType, signer: key))
    tamper(&payload)
    return try preparePin(
      .preparePinChange, pin: pin, challenge: challenge, sequence: sequence,
      payload: WireJSON.encode(payload))
  }

  func prepareChange(
    from pin: String, to newPin: String, change: String
  ) async throws -> InstructionOutcome {
    try await send(
      prepareChange(
        from: pin, to: newPin, change: change,
        challenge: try await challenge(for: .preparePinChange)))
  }

  func commitChange(_ change: String) async throws -> InstructionOutcome {
    try await end(.commitPinChange, change)
  }

  func cancelChange(_ change: String) async throws -> InstructionOutcome {
    try await end(.cancelPinChange, change)
  }

  private func end(
    _ instruction: InstructionName, _ change: String
  ) async throws -> InstructionOutcome {
    let challenge = try await challenge(for: instruction)
    return try await send(
      preparePlain(instruction, PinChangeReference(change: change), challenge: challenge))
  }
}
