internal import WalletCrypto
internal import WalletProtocol

/// The inner message of a PIN instruction, to be signed by the PIN key and sealed.
///
/// The signature, the signed text, the hashes of that text and the PIN public key must stay secret:
/// with any of them, guesses of the PIN can be checked without the provider. So the message is
/// written into guarded memory, and never into a String or an array. `WalletProtocol` defines the
/// content of the message; `PinMessageTests` checks that the message agrees with it.
struct PinMessage {
  var audience: String
  var wallet: String
  var instruction: InstructionName
  var challenge: String
  var sequence: UInt64
  /// The hardware key's SubjectPublicKeyInfo.
  var hardwareKey: [UInt8]
  /// The evaluation that the PIN key was derived with; nil for `prepare_pin_change`.
  var evaluation: EvaluationReference?
  /// The blinded new PIN; only for `begin_pin_change`.
  var newBlinded: [UInt8]?
  /// The opening of the commitment to a new PIN key; only for `register` and `prepare_pin_change`.
  var opening: Secret?

  /// Returns the JSON of a `SealedInstruction` with the signature of `pinKey`. In a registration,
  /// it also has the public half of `pinKey`.
  ///
  /// - Parameter payload: The JSON of the payload.
  func json(payload: Secret, pinKey: Ed25519.SigningKey) throws -> Secret {
    var content: [(String, SecretText)] = [("audience", try .json(audience))]
    if let evaluation { content.append(("blinded", .bytes(.plain(evaluation.blinded)))) }
    content.append(("challenge", try .json(challenge)))
    if let evaluation { content.append(("evaluation", try .json(evaluation.id))) }
    content += [
      ("hardware_key", .bytes(.plain(hardwareKey))), ("instruction", try .json(instruction)),
    ]
    if let newBlinded { content.append(("new_blinded", .bytes(.plain(newBlinded)))) }
    content += [
      ("payload_hash", .bytes(.secret(try Hash.sha256(payload)))),
      ("sequence", try .json(sequence)), ("version", try .json(wireVersion)),
      ("wallet", try .json(wallet)),
    ]
    let claims = SecretText.object(content)
    var members: [(String, SecretText)] = [("payload", .bytes(.secret(payload)))]
    if let opening { members.append(("pin_key_opening", .bytes(.secret(opening)))) }
    if instruction == .register {
      members.append(("pin_public_key", .bytes(.secret(try pinKey.guardedPublicKey()))))
    }
    members.append(
      ("signature", .quoted(try .signed(claims, type: .pinInstruction, by: pinKey))))
    return try Secret(.object(members))
  }

  /// Returns the JSON of a `PinPayload`.
  static func payload(
    shareRecipient: [UInt8], attestation: String? = nil, registrationState: String? = nil
  ) throws -> Secret {
    var members: [(String, SecretText)] = []
    if let attestation { members.append(("attestation", try .json(attestation))) }
    if let registrationState {
      members.append(("registration_state", try .json(registrationState)))
    }
    members.append(("share_recipient", .bytes(.plain(shareRecipient))))
    return try Secret(.object(members))
  }

  /// Returns the JSON of a `ReplacementPayload`.
  static func payload(
    shareRecipient: [UInt8], session: String, decision: ReplacementDecision
  ) throws -> Secret {
    try Secret(
      .object([
        ("decision", try .json(decision)), ("session", try .json(session)),
        ("share_recipient", .bytes(.plain(shareRecipient))),
      ]))
  }

  /// Returns the JSON of a `UsePayload`.
  static func payload(
    shareRecipient: [UInt8], purpose: UsePurpose, act: [UInt8], slots: [SlotReference]
  ) throws -> Secret {
    try Secret(
      .object([
        ("act", .bytes(.plain(act))), ("purpose", try .json(purpose)),
        ("share_recipient", .bytes(.plain(shareRecipient))), ("slots", try .json(slots)),
      ]))
  }

  /// Returns the JSON of a `PinChangeBeginning`.
  static func payload(shareRecipient: [UInt8], change: String) throws -> Secret {
    try Secret(
      .object([
        ("change", try .json(change)), ("share_recipient", .bytes(.plain(shareRecipient))),
      ]))
  }

  /// Returns the JSON of a `PinChangePayload` with a proof that the wallet has `newKey`: a text
  /// that `newKey` signs.
  static func payload(
    shareRecipient: [UInt8], change: String, newKey: Ed25519.SigningKey, audience: String,
    wallet: String, challenge: String, evaluation: EvaluationReference
  ) throws -> Secret {
    let proof = SecretText.object([
      ("audience", try .json(audience)), ("blinded", .bytes(.plain(evaluation.blinded))),
      ("challenge", try .json(challenge)), ("change", try .json(change)),
      ("evaluation", try .json(evaluation.id)), ("version", try .json(wireVersion)),
      ("wallet", try .json(wallet)),
    ])
    return try Secret(
      .object([
        ("change", try .json(change)),
        ("new_pin_public_key", .bytes(.secret(try newKey.guardedPublicKey()))),
        ("proof", .quoted(try .signed(proof, type: .newPinKeyProof, by: newKey))),
        ("share_recipient", .bytes(.plain(shareRecipient))),
      ]))
  }
}

/// An evaluation, as the messages of a PIN key name it. Not secret.
struct EvaluationReference {
  var id: String
  /// The blinded PIN, 32 bytes.
  var blinded: [UInt8]
}

extension SecretText {
  /// Returns the JSON of a value that need not be kept secret.
  static func json(_ value: some Encodable) throws -> SecretText {
    .plain(try WireJSON.encode(value))
  }

  /// Returns a JSON string of characters that need no escape.
  static func quoted(_ text: SecretText) -> SecretText { .joined(["\"", text, "\""]) }

  /// Returns bytes as a JSON string.
  static func bytes(_ bytes: SecretText) -> SecretText { .quoted(.base64URL(bytes)) }

  /// Returns a JSON object of `members`, whose names are sorted and need no escape.
  static func object(_ members: [(String, SecretText)]) -> SecretText {
    var parts: [SecretText] = []
    for (name, value) in members {
      parts += [parts.isEmpty ? "{" : ",", .quoted(.plain(Array(name.utf8))), ":", value]
    }
    return .joined(parts + ["}"])
  }

  /// Returns the compact JWS (RFC 7515 section 7.1) of `content`.
  static func signed(
    _ content: SecretText, type: SignedMessageType, by key: Ed25519.SigningKey
  ) throws -> SecretText {
    let header = SecretText.plain(SignedMessage.header(type, of: key))
    let input = try Secret(.joined([.base64URL(header), ".", .base64URL(content)]))
    return .joined([.secret(input), ".", .base64URL(.secret(try key.sign(input)))])
  }
}
