import Foundation
import WalletProtocol
import WalletProvider
import WalletSignatures

extension TestWallet {
  static func newChange() -> String {
    Base64URL.encode((0..<16).map { _ in UInt8.random(in: 0...255) })
  }

  /// The beginning of a change, an attempt with the PIN `pin`; `tamper` changes the payload,
  /// `tamperInner` the claims that the PIN key signs.
  func prepareBeginning(
    from pin: String, to newPin: String, change: String, challenge: String,
    sequence: UInt64? = nil, tamper: (inout PinChangeBeginning) -> Void = { _ in },
    tamperInner: (inout InstructionClaims) -> Void = { _ in }
  ) throws -> Prepared {
    let blinded = try Self.newBlinded()
    var payload = PinChangeBeginning(
      shareRecipient: Base64URL.encode(shareKey.publicKey), change: change)
    tamper(&payload)
    var prepared = try preparePin(
      .beginPinChange, pin: pin, challenge: challenge, sequence: sequence,
      payload: WireJSON.encode(payload),
      tamperInner: {
        $0.newBlinded = blinded
        tamperInner(&$0)
      })
    prepared.beginning = (change, newPin, blinded)
    return prepared
  }

  /// Begins a change. The outcome is that of the challenge if that is no challenge.
  func beginChange(
    from pin: String, to newPin: String, change: String, at provider: Provider? = nil
  ) async throws -> InstructionOutcome {
    let asked = try prepareChallenge(.beginPinChange, pin: pin)
    let outcome = try await send(asked, to: provider)
    guard case .challenge = outcome else { return outcome }
    let challenge = try challenge(in: outcome, of: asked)
    return try await send(
      prepareBeginning(from: pin, to: newPin, change: change, challenge: challenge),
      to: provider)
  }

  /// A preparation of a change that was begun; `tamper` changes the payload, `tamperProof` the
  /// claims that the new key signs.
  func prepareChange(
    from pin: String, to newPin: String, change: String, challenge: String,
    sequence: UInt64? = nil, proofType: SignedMessageType = .newPinKeyProof,
    tamper: (inout PinChangePayload) -> Void = { _ in },
    tamperProof: (inout NewPinKeyProof) -> Void = { _ in },
    tamperOuter: (inout InstructionClaims) -> Void = { _ in }
  ) throws -> Prepared {
    let key = try TestPinKey(pin: newPin, salt: salt)
    var proof = NewPinKeyProof(
      audience: harness.configuration.providerID, wallet: id, challenge: challenge, change: change,
      evaluation: pendingPin?.evaluated.id ?? "", blinded: pendingPin?.evaluated.blinded ?? "")
    tamperProof(&proof)
    var payload = PinChangePayload(
      shareRecipient: Base64URL.encode(shareKey.publicKey), change: change,
      newPinPublicKey: Base64URL.encode(key.publicKey),
      proof: try SignedMessage.sign(proof, type: proofType, signer: key))
    tamper(&payload)
    return try preparePin(
      .preparePinChange, pin: pin, challenge: challenge, sequence: sequence,
      payload: WireJSON.encode(payload), newKey: key.publicKey,
      tamperOuter: tamperOuter)
  }

  /// Begins and prepares a change. The outcome is that of the beginning unless that is valid.
  func prepareChange(
    from pin: String, to newPin: String, change: String, at provider: Provider? = nil
  ) async throws -> InstructionOutcome {
    let begun = try await beginChange(from: pin, to: newPin, change: change, at: provider)
    guard case .valid = begun else { return begun }
    return try await send(
      prepareChange(
        from: pin, to: newPin, change: change,
        challenge: try await challenge(for: .preparePinChange, at: provider)), to: provider)
  }

  func commitChange(
    _ change: String, at provider: Provider? = nil
  ) async throws -> InstructionOutcome {
    let outcome = try await end(.commitPinChange, change, provider)
    if outcome == .pinChangeCommitted, let pendingPin, pendingPin.change == change {
      promote(pendingPin)
    }
    return outcome
  }

  func cancelChange(_ change: String) async throws -> InstructionOutcome {
    let outcome = try await end(.cancelPinChange, change, nil)
    if outcome == .pinChangeCancelled, pendingPin?.change == change { pendingPin = nil }
    return outcome
  }

  private func end(
    _ instruction: InstructionName, _ change: String, _ provider: Provider?
  ) async throws -> InstructionOutcome {
    let challenge = try await challenge(for: instruction, at: provider)
    return try await send(
      preparePlain(instruction, PinChangeReference(change: change), challenge: challenge),
      to: provider)
  }
}
