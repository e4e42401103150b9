internal import WalletProtocol
internal import WalletProvider
internal import WalletSignatures

// What wallets send. A fuzzer finds no hash and no signature, so what is signed is put together
// here around its input; signatures are not looked at before the form is right.

private let audience = "provider"
private let hardwareKey: [UInt8] = [1, 2, 3]

/// Signs with zeros.
private struct ZeroSigner: Signer {
  let algorithm = SignatureAlgorithm.edDSA
  let keyID: String? = nil

  func sign(_ message: [UInt8]) -> [UInt8] { [UInt8](repeating: 0, count: 64) }
}

private func hash(_ bytes: [UInt8]) -> String { Base64URL.encode(Digest.sha256(bytes)) }

private func claims(_ instruction: InstructionName, of payload: [UInt8]) -> InstructionClaims {
  InstructionClaims(
    audience: audience, wallet: "wallet", instruction: instruction, payloadHash: hash(payload),
    challenge: instruction == .challenge
      ? nil : Base64URL.encode([UInt8](repeating: 0, count: 32)), sequence: 1)
}

private func body(_ claims: InstructionClaims, _ payload: [UInt8]) -> [UInt8] {
  guard
    let signature = try? SignedMessage.sign(claims, type: .instruction, signer: ZeroSigner()),
    let body = try? WireJSON.encode(
      InstructionEnvelope(signature: signature, payload: Base64URL.encode(payload)))
  else { preconditionFailure("a request that cannot be written") }
  return body
}

private func request(_ instruction: InstructionName, _ payload: [UInt8]) -> InstructionRequest {
  guard
    let request = try? InstructionRequest(
      parsing: body(claims(instruction, of: payload), payload), instruction: instruction,
      audience: audience)
  else { preconditionFailure("a request of the right form was refused") }
  return request
}

/// A whole body; or the claims of one, which are signed then.
func readRequest(_ bytes: [UInt8]) -> Bool {
  var read = bytes
  if var claims = try? WireJSON.decode(InstructionClaims.self, from: bytes) {
    claims.payloadHash = hash(bytes)
    read = body(claims, bytes)
  }
  let claims = (try? WireJSON.decode(InstructionEnvelope.self, from: read))
    .flatMap { try? SignedMessage(parsing: $0.signature) }
    .flatMap { try? $0.unverifiedContent(InstructionClaims.self) }
  guard
    let request = try? InstructionRequest(
      parsing: read, instruction: claims?.instruction ?? .register, audience: audience)
  else { return false }
  precondition(request.claims == claims)
  precondition((request.challenge == nil) == (request.claims.instruction == .challenge))
  precondition(request.claims.wallet.utf8.allSatisfy { (0x21...0x7E).contains($0) })
  _ = try? request.registeringKey()
  return true
}

/// The payload of each instruction, as it is when it was opened.
func readPayload(_ bytes: [UInt8]) -> Bool {
  let request = request(.checkPin, bytes)
  let payloads: [any Decodable.Type] = [
    ChallengePayload.self, SessionPayload.self, PinChangeReference.self, ClaimPayload.self,
    IssuancePayload.self, SubmissionPayload<LicenceClaims>.self,
  ]
  // Reads any JSON, so that it says nothing of the input.
  _ = try? request.plainPayload(EmptyPayload.self)
  // Each reads it, whichever did before.
  return payloads.filter { (try? request.plainPayload($0)) != nil }.count > 0
}

/// The inner message of a PIN instruction; or its payload, which is signed then.
func readPinInstruction(_ bytes: [UInt8]) -> Bool {
  var read = bytes
  if (try? WireJSON.decode(PinPayload.self, from: bytes)) != nil {
    var claims = claims(.checkPin, of: bytes)
    claims.hardwareKey = Base64URL.encode(hardwareKey)
    guard
      let signature = try? SignedMessage.sign(claims, type: .pinInstruction, signer: ZeroSigner()),
      let sealed = try? WireJSON.encode(
        SealedInstruction(signature: signature, payload: Base64URL.encode(bytes)))
    else { preconditionFailure("an inner message that cannot be written") }
    read = sealed
  }
  guard
    let inner = try? PinInstruction(
      opened: read, of: request(.checkPin, []), hardwareKey: hardwareKey)
  else { return false }
  precondition(inner.pinPublicKey?.count ?? 32 == 32)
  precondition((try? inner.sealForRecipient([1])) != nil, "no recipient for the answer")
  _ = try? inner.payload(as: PinChangePayload.self)
  // A message without a PIN key is signed by none, whether or not it is of the right kind.
  let isSigned = (try? inner.isSigned(byPinKey: inner.pinPublicKey ?? Digest.sha256([]))) ?? false
  precondition(!isSigned || inner.pinPublicKey != nil)
  return true
}
