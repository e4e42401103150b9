import WalletCrypto
import WalletOPRF
import WalletProtocol

/// The examples of the PIN: its key, its evaluations, and the instructions that it signs.
extension ExampleMessages {
  /// What a PIN becomes.
  func pin(_ pin: ExamplePin) throws -> MessageExample {
    var example = MessageExample(title: "PIN \(pin.digits)")
    example.add("salt", Base64URL.encode(pin.salt))
    example.add("stretched PIN", Base64URL.encode(pin.stretched.disclosed()))
    example.add("id of the PIN key", pin.keyID)
    example.add("evaluator's half", Base64URL.encode(pin.evaluator.withBytes(Array.init)))
    example.add("its public value", try pin.publicValue(pin.evaluator))
    example.add("provider's half", Base64URL.encode(pin.provider.withBytes(Array.init)))
    example.add("public value of the provider's half", try pin.publicValue(pin.provider))
    example.add("output of the function", Base64URL.encode(pin.output.disclosed()))
    example.add("PIN key", Base64URL.encode(pin.key.publicKey))
    example.add(
      "wrapping key with the share",
      Base64URL.encode(
        try pin.secrets.wrappingKey(with: Secret(copying: ExampleParties.seed("share")))
          .disclosed()))
    return example
  }

  /// The challenge for an attempt at the PIN, with its evaluation.
  mutating func attemptChallenge(
    _ name: InstructionName, more: [(String, InstructionOutcome, ReplacementNotice?)] = []
  ) throws -> MessageExample {
    try plain(
      .challenge,
      ChallengePayload(
        instruction: name, key: parties.pin.keyID, blinded: parties.pin.blinded(name.rawValue)),
      title: "Challenge for \(name.rawValue)",
      answers: [
        (
          "challenge",
          .challenge(
            challenge(name), expiresInMilliseconds: 120_000,
            evaluation: try parties.pin.evaluation(name.rawValue)), nil
        )
      ] + more)
  }

  /// The evaluator's statement of its half of the key of `pin`.
  func grant(_ pin: ExamplePin) throws -> EvaluatorGrant {
    EvaluatorGrant(
      key: pin.keyID, publicValue: try pin.publicValue(pin.evaluator),
      hardwareKeyHash: try hardwareKeyHash(),
      replaces: pin.keyID == parties.pin.keyID ? nil : parties.pin.keyID,
      grantKey: Base64URL.encode(parties.evaluator.publicKey))
  }

  func signedGrant(_ pin: ExamplePin) throws -> String {
    try SignedMessage.sign(try grant(pin), type: .evaluatorGrant, signer: parties.evaluator)
  }

  /// The evaluator's statement that it has adopted the key of `pin`.
  func receipt(_ name: InstructionName, _ pin: ExamplePin) -> EvaluatorReceipt {
    EvaluatorReceipt(key: pin.keyID, pinKeyCommitment: commitment(name, pin))
  }

  func signedReceipt(_ name: InstructionName, _ pin: ExamplePin) throws -> String {
    try SignedMessage.sign(
      receipt(name, pin), type: .evaluatorReceipt, signer: parties.evaluator)
  }

  func hardwareKeyHash() throws -> String {
    Base64URL.encode(
      Hash.sha256(try SubjectPublicKey(ed25519: parties.hardwareKey.publicKey).der))
  }

  var registrationState: String { ExampleParties.bytes("registration state") }

  mutating func registrationExamples() throws -> [MessageExample] {
    let name = InstructionName.register.rawValue
    var first = try plain(
      .challenge,
      ChallengePayload(instruction: .register, blinded: try parties.pin.blinded(name)),
      title: "Challenge for register", opensRegistration: true,
      answers: [
        (
          "challenge",
          .challenge(
            challenge(.register), expiresInMilliseconds: 120_000,
            evaluation: try parties.pin.evaluation(name, grant: signedGrant(parties.pin)),
            registration: registrationState), nil
        )
      ])
    try first.add("grant", json: grant(parties.pin))
    let certificate = CertificateClaims(
      issuer: ExampleParties.providerID, wallet: ExampleParties.walletID,
      registration: registration, hardwareKeyHash: try hardwareKeyHash(), attested: false,
      issuedAt: ExampleParties.now)
    let signed = try SignedMessage.sign(
      certificate, type: .certificate, signer: parties.certificate)
    var register = try pinned(
      .register,
      PinPayload(shareRecipient: shareRecipient, registrationState: registrationState),
      newPin: parties.pin,
      answers: [
        (
          "registered",
          .registered(
            certificate: signed, share: try share(.register),
            receipt: try signedReceipt(.register, parties.pin)), nil
        ),
        ("already_registered", .alreadyRegistered, nil),
      ])
    try register.add("certificate", json: certificate)
    try register.add("receipt", json: receipt(.register, parties.pin))
    return [
      first, register,
      try plain(
        .challenge, ChallengePayload(instruction: .confirmRegistration),
        answers: [
          (
            "challenge",
            .challenge(challenge(.confirmRegistration), expiresInMilliseconds: 120_000), nil
          ),
          ("sequence_refused", .sequenceRefused(current: 40), nil),
          ("unknown_wallet", .unknownWallet, nil),
        ]),
      try plain(
        .confirmRegistration, EmptyPayload(), answers: [("confirmed", .confirmed, nil)]),
    ]
  }

  mutating func pinExamples() throws -> [MessageExample] {
    let notice = ReplacementNotice(
      session: "session-2", takesEffectInMilliseconds: 86_400_000)
    return [
      try attemptChallenge(
        .checkPin,
        more: [
          ("blocked", .blocked(milliseconds: 42_000, counted: false), nil),
          ("blocked_permanently", .blockedPermanently(counted: false), nil),
        ]),
      try pinned(
        .checkPin, PinPayload(shareRecipient: shareRecipient),
        answers: [
          (
            "valid",
            .valid(
              share: try share(.checkPin),
              failures: FailedAttempts(count: 2, lastAt: ExampleParties.now - 60)), notice
          ),
          ("wrong", .wrong(attemptsLeft: 3, finalRound: false), nil),
          ("blocked", .blocked(milliseconds: 60_000, counted: true), nil),
          ("blocked_permanently", .blockedPermanently(counted: true), nil),
        ]),
      try plain(
        .pinState, EmptyPayload(),
        answers: [("not_blocked", .notBlocked(attemptsLeft: 4, finalRound: false), nil)]),
      try attemptChallenge(.decideReplacement),
      try pinned(
        .decideReplacement,
        ReplacementPayload(
          shareRecipient: shareRecipient, session: notice.session, decision: .refuse),
        answers: [("valid", .valid(share: try share(.decideReplacement)), nil)]),
      try attemptChallenge(.authorizeUse), try authorizationExample(),
    ]
  }

  /// The use of a card, whose slot opens, and of another, whose use key is lost.
  private mutating func authorizationExample() throws -> MessageExample {
    let key = ExampleParties.seed("slot key")
    let message =
      SlotKeyMessage.prefix(
        walletHash: Hash.sha256(Array(ExampleParties.walletID.utf8)),
        copy: Array(ExampleParties.seed("copy").prefix(SlotKeyMessage.copyLength))) + key
    let box = Base64URL.encode(
      try parties.use.seal(message, ephemeral: "ephemeral key of the slot"))
    var example = try pinned(
      .authorizeUse,
      UsePayload(
        shareRecipient: shareRecipient, purpose: .presentation, act: ExampleParties.bytes("act"),
        slots: [
          SlotReference(useKey: parties.use.published.id, box: box),
          SlotReference(useKey: "lost", box: box),
        ]),
      answers: [
        (
          "authorized",
          .authorized(
            slots: [.opened, .unknownKey],
            keys: Base64URL.encode(
              try parties.recipient.seal(key, ephemeral: "ephemeral key of the slot keys"))), nil
        )
      ])
    example.add("slot key message", Base64URL.encode(message))
    return example
  }

  private var change: String { ExampleParties.bytes("change", count: 16) }
  /// What the seeds of the evaluation of the new PIN are named after.
  private var newName: String { "the new PIN" }

  private func proof() throws -> NewPinKeyProof {
    NewPinKeyProof(
      audience: ExampleParties.providerID, wallet: ExampleParties.walletID,
      challenge: challenge(.preparePinChange), change: change,
      evaluation: ExamplePin.evaluationID(newName), blinded: try parties.newPin.blinded(newName))
  }

  private func signedProof() throws -> String {
    try SignedMessage.sign(proof(), type: .newPinKeyProof, signer: parties.newPin.key)
  }

  mutating func pinChangeExamples() throws -> [MessageExample] {
    let attempt = try attemptChallenge(.beginPinChange)
    var begin = try pinned(
      .beginPinChange, PinChangeBeginning(shareRecipient: shareRecipient, change: change),
      newBlinded: try parties.newPin.blinded(newName),
      answers: [
        (
          "valid",
          .valid(
            share: try share(.beginPinChange),
            evaluation: try parties.newPin.evaluation(
              newName, grant: signedGrant(parties.newPin))), nil
        )
      ])
    try begin.add("grant", json: grant(parties.newPin))
    let newKey = parties.newPin.key
    var prepare = try pinned(
      .preparePinChange,
      PinChangePayload(
        shareRecipient: shareRecipient, change: change,
        newPinPublicKey: Base64URL.encode(newKey.publicKey),
        proof: try signedProof()),
      newPin: parties.newPin,
      answers: [("valid", .valid(share: try share(.preparePinChange)), nil)])
    try prepare.add("proof", json: proof())
    return [
      attempt, begin, prepare,
      try plain(
        .commitPinChange, PinChangeReference(change: change),
        answers: [
          ("pin_change_committed", .pinChangeCommitted, nil),
          ("unknown_pin_change", .unknownPinChange, nil),
        ]),
      try plain(
        .cancelPinChange, PinChangeReference(change: change),
        answers: [("pin_change_cancelled", .pinChangeCancelled, nil)]),
    ]
  }

  /// The messages between the provider and its evaluator, made of the requests before.
  func evaluatorExamples() throws -> [MessageExample] {
    let standing = AttemptStanding(
      attempts: 0, blockedMilliseconds: nil, isBlockedPermanently: false)
    let counted = AttemptStanding(
      attempts: 4, blockedMilliseconds: 60_000, isBlockedPermanently: false)
    let opened = try parties.pin.evaluation(
      InstructionName.register.rawValue, grant: signedGrant(parties.pin)
    ).evaluator
    let attempt = try parties.pin.evaluation(InstructionName.checkPin.rawValue).evaluator
    let next = try parties.newPin.evaluation(newName, grant: signedGrant(parties.newPin)).evaluator
    let key = parties.pin.keyID
    let newKey = parties.newPin.keyID
    var description = MessageExample(title: "From the evaluator: its description")
    try description.add(
      "answer",
      json: EvaluatorDescription(
        id: ExampleParties.evaluatorID, grantKeys: [ExampleParties.published(parties.evaluator)]))
    return [
      try evaluator(
        "open", .open(request: try request("Challenge for register")),
        ("evaluated", .evaluated(evaluation: opened, standing: standing))),
      try evaluator(
        "evaluate", .evaluate(request: try request("Challenge for check_pin")),
        ("evaluated", .evaluated(evaluation: attempt, standing: counted)),
        ("blocked", .blocked(standing: counted)),
        ("sequence_refused", .sequenceRefused(current: 40)), ("unknown_key", .unknownKey)),
      try evaluator(
        "adopt",
        .adopt(
          key: key,
          adoption: try adoption(
            .register, message: try pinSignature(.register), of: parties.pin)),
        ("adopted", .adopted(receipt: try signedReceipt(.register, parties.pin))),
        ("refused", .refused)),
      try evaluator(
        "prove", .prove(key: key, message: try pinSignature(.checkPin)),
        ("proven", .proven(standing: standing, next: nil))),
      try evaluator(
        "prove, with a new PIN", .prove(key: key, message: try pinSignature(.beginPinChange)),
        ("proven", .proven(standing: standing, next: next))),
      try evaluator(
        "adopt, of a new PIN",
        .adopt(
          key: newKey,
          adoption: try adoption(
            .preparePinChange, message: try pinSignature(.preparePinChange),
            payload: pinPayloads[.preparePinChange], of: parties.newPin)),
        ("adopted", .adopted(receipt: try signedReceipt(.preparePinChange, parties.newPin)))),
      try evaluator("commit", .commit(key: newKey), ("done", .done)),
      try evaluator("cancel", .cancel(key: newKey), ("done", .done)),
      try evaluator("delete", .delete(key: key), ("done", .done)), description,
    ]
  }

  private func adoption(
    _ name: InstructionName, message: String, payload: String? = nil, of pin: ExamplePin
  ) throws -> PinKeyAdoption {
    PinKeyAdoption(
      signature: try request(name.rawValue).signature, message: message, payload: payload,
      publicKey: Base64URL.encode(pin.key.publicKey), opening: opening(name))
  }

  private func request(_ title: String) throws -> InstructionEnvelope {
    guard let request = requests[title] else { throw WireError.encodingRefused }
    return request
  }

  private func pinSignature(_ name: InstructionName) throws -> String {
    guard let signature = pinSignatures[name] else { throw WireError.encodingRefused }
    return signature
  }

  private func evaluator(
    _ name: String, _ request: EvaluatorRequest, _ answers: (String, EvaluatorAnswer)...
  ) throws -> MessageExample {
    var example = MessageExample(title: "To the evaluator: \(name)")
    try example.add("request", json: request)
    for (label, answer) in answers { try example.add("answer: \(label)", json: answer) }
    return example
  }
}
