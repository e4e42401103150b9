import WalletCrypto
import WalletProtocol

/// One worked example: a title, and named parts, each a text exactly as it is signed, sealed or
/// sent.
struct MessageExample {
  var title: String
  var parts: [(name: String, text: String)] = []

  mutating func add(_ name: String, _ text: String) { parts.append((name, text)) }

  mutating func add(_ name: String, json value: some Encodable) throws {
    add(name, String(decoding: try WireJSON.encode(value), as: UTF8.self))
  }
}

/// Makes the examples with the types and encoders that the wallet and the provider use.
struct ExampleMessages {
  let parties: ExampleParties
  private var sequence: UInt64 = 1
  /// The requests, by the title of their example.
  private(set) var requests: [String: InstructionEnvelope] = [:]
  /// The messages that the PIN key signed, by instruction: compact JWS.
  private(set) var pinSignatures: [InstructionName: String] = [:]
  /// Their payloads, by instruction: base64url.
  private(set) var pinPayloads: [InstructionName: String] = [:]

  init() throws { parties = try ExampleParties() }

  /// All examples, in the order of a wallet's life.
  static func all() throws -> [MessageExample] {
    var messages = try ExampleMessages()
    return [
      try messages.keys(), try messages.pin(messages.parties.pin),
      try messages.pin(messages.parties.newPin), try messages.clientConfiguration(),
    ] + (try messages.registrationExamples()) + (try messages.pinExamples())
      + (try messages.pinChangeExamples()) + (try messages.proofingExamples())
      + (try messages.endingsExamples()) + (try messages.evaluatorExamples())
  }

  // MARK: The building blocks

  /// A request that the hardware key alone signs, and the answers that it may get.
  mutating func plain(
    _ name: InstructionName, _ payload: some Encodable, title: String? = nil,
    opensRegistration: Bool = false,
    answers: [(String, InstructionOutcome, ReplacementNotice?)]
  ) throws -> MessageExample {
    var example = MessageExample(title: title ?? name.rawValue)
    let bytes = try WireJSON.encode(payload)
    example.add("payload", String(decoding: bytes, as: UTF8.self))
    return try finish(
      example, name, payload: bytes, sealed: false, opensRegistration: opensRegistration,
      answers: answers)
  }

  /// A request whose payload is sealed to the provider.
  mutating func sealed(
    _ name: InstructionName, _ payload: some Encodable,
    answers: [(String, InstructionOutcome, ReplacementNotice?)]
  ) throws -> MessageExample {
    var example = MessageExample(title: name.rawValue)
    try example.add("payload", json: payload)
    let box = try parties.encryption.seal(
      try WireJSON.encode(payload), ephemeral: "ephemeral key of \(name.rawValue)")
    example.add("the same, sealed", Base64URL.encode(box))
    return try finish(example, name, payload: box, sealed: true, answers: answers)
  }

  /// A request that the PIN key signs inside.
  ///
  /// - Parameters:
  ///   - newBlinded: base64url of the blinded new PIN.
  ///   - newPin: the PIN key that the outer claims commit to.
  mutating func pinned(
    _ name: InstructionName, _ payload: some Encodable, newBlinded: String? = nil,
    newPin: ExamplePin? = nil,
    answers: [(String, InstructionOutcome, ReplacementNotice?)]
  ) throws -> MessageExample {
    var example = MessageExample(title: name.rawValue)
    try example.add("inner payload", json: payload)
    let inner = try WireJSON.encode(payload)
    var claims = claims(name, payload: inner)
    claims.hardwareKey = try ExampleParties.subjectKey(parties.hardwareKey)
    if name == .register || name.isAttempt {
      claims.evaluation = ExamplePin.evaluationID(name.rawValue)
      claims.blinded = try parties.pin.blinded(name.rawValue)
    }
    claims.newBlinded = newBlinded
    try example.add("inner claims", json: claims)
    let key = parties.pin.key
    let message = SealedInstruction(
      signature: try SignedMessage.sign(claims, type: .pinInstruction, signer: key),
      payload: Base64URL.encode(inner),
      pinPublicKey: name == .register ? Base64URL.encode(key.publicKey) : nil,
      pinKeyOpening: newPin == nil ? nil : opening(name))
    pinSignatures[name] = message.signature
    pinPayloads[name] = message.payload
    try example.add("inner message", json: message)
    let box = try parties.encryption.seal(
      try WireJSON.encode(message), ephemeral: "ephemeral key of \(name.rawValue)")
    example.add("the same, sealed", Base64URL.encode(box))
    let commitment = newPin.map { self.commitment(name, $0) }
    return try finish(
      example, name, payload: box, sealed: true, commitment: commitment, answers: answers)
  }

  /// Base64url of the commitment in this instruction.
  func commitment(_ name: InstructionName, _ pin: ExamplePin) -> String {
    Base64URL.encode(Hash.sha256((Base64URL.decode(opening(name)) ?? []) + pin.key.publicKey))
  }

  /// Base64url of the random bytes of the commitment in this instruction.
  func opening(_ name: InstructionName) -> String {
    ExampleParties.bytes("opening of \(name.rawValue)")
  }

  mutating func finish(
    _ example: MessageExample, _ name: InstructionName, payload: [UInt8], sealed: Bool,
    opensRegistration: Bool = false, commitment: String? = nil,
    answers: [(String, InstructionOutcome, ReplacementNotice?)]
  ) throws -> MessageExample {
    var example = example
    var claims = claims(name, payload: payload, opensRegistration: opensRegistration)
    if sealed { claims.encryptionKey = parties.encryption.published.id }
    claims.pinKeyCommitment = commitment
    if name == .register || opensRegistration {
      claims.hardwareKey = try ExampleParties.subjectKey(parties.hardwareKey)
    }
    try example.add("claims", json: claims)
    let signature = try SignedMessage.sign(claims, type: .instruction, signer: parties.hardwareKey)
    let request = InstructionEnvelope(signature: signature, payload: Base64URL.encode(payload))
    requests[example.title] = request
    try example.add("request", json: request)
    for (label, outcome, replacement) in answers {
      let result = InstructionResultClaims(
        issuer: ExampleParties.providerID, answering: claims,
        requestHash: Base64URL.encode(Hash.sha256(Array(signature.utf8))), outcome: outcome,
        replacement: replacement)
      try example.add("result: \(label)", json: result)
      try example.add(
        "answer: \(label)",
        json: InstructionAnswer(
          result: try SignedMessage.sign(
            result, type: .instructionResult, signer: parties.result)))
    }
    sequence += 1
    return example
  }

  func claims(
    _ name: InstructionName, payload: [UInt8], opensRegistration: Bool = false
  ) -> InstructionClaims {
    InstructionClaims(
      audience: ExampleParties.providerID,
      wallet: name == .register || opensRegistration ? registration : ExampleParties.walletID,
      instruction: name,
      payloadHash: Base64URL.encode(Hash.sha256(payload)),
      challenge: name == .challenge ? nil : challenge(name), sequence: sequence)
  }

  var registration: String { ExampleParties.bytes("registration id", count: 16) }
  var shareRecipient: String { Base64URL.encode(parties.recipient.publicKey) }

  func challenge(_ name: InstructionName) -> String {
    ExampleParties.bytes("challenge of \(name.rawValue)")
  }

  func share(_ name: InstructionName) throws -> String {
    Base64URL.encode(
      try parties.recipient.seal(
        ExampleParties.seed("share"), ephemeral: "ephemeral key of the share, \(name.rawValue)"))
  }

  // MARK: The examples

  private func keys() throws -> MessageExample {
    var example = MessageExample(title: "Keys")
    example.add("hardware key", try ExampleParties.subjectKey(parties.hardwareKey))
    example.add("recipient", shareRecipient)
    example.add("secret half of the recipient", Base64URL.encode(parties.recipient.secretKey))
    example.add("encryption key", Base64URL.encode(parties.encryption.publicKey))
    example.add(
      "secret half of the encryption key", Base64URL.encode(parties.encryption.secretKey))
    example.add("use key", Base64URL.encode(parties.use.publicKey))
    example.add("secret half of the use key", Base64URL.encode(parties.use.secretKey))
    return example
  }

  private func clientConfiguration() throws -> MessageExample {
    var example = MessageExample(title: "What a wallet starts with")
    let claims = ConfigurationClaims(
      configurationVersion: 1, providerID: ExampleParties.providerID,
      resultKeys: [ExampleParties.published(parties.result)],
      certificateKeys: [ExampleParties.published(parties.certificate)],
      encryptionKeys: [parties.encryption.published], useKeys: [parties.use.published],
      evaluatorKeys: [ExampleParties.published(parties.evaluator)],
      proofingHosts: ["id.example"])
    try example.add("configuration", json: claims)
    let configuration = try SignedMessage.sign(
      claims, type: .configuration, signer: parties.signing[0])
    let policy = UpdatePolicyClaims(
      providerID: ExampleParties.providerID, issuedAt: ExampleParties.now,
      rules: [UpdateRule(belowVersion: "1.2.0", grade: .recommend)],
      validUntil: ExampleParties.now + 604_800, configurationVersion: 1,
      configurationHash: Base64URL.encode(Hash.sha256(Array(configuration.utf8))),
      nonce: ExampleParties.bytes("nonce", count: 16))
    try example.add("update policy", json: policy)
    try example.add(
      "document",
      json: ClientConfiguration(
        providerURL: "https://provider.example", allowLoopbackHTTP: false,
        configurationSigningKeys: parties.signing.map { ExampleParties.published($0) },
        configuration: configuration,
        updatePolicy: try SignedMessage.sign(
          policy, type: .updatePolicy, signer: parties.signing[1])))
    return example
  }

  private mutating func endingsExamples() throws -> [MessageExample] {
    var problem = MessageExample(title: "A problem")
    try problem.add(
      "answer", json: Problem(.challengeRefused, title: "The challenge is unknown or expired"))
    return [
      try plain(.deleteWallet, EmptyPayload(), answers: [("deleted", .deleted, nil)]), problem,
    ]
  }

  private mutating func proofingExamples() throws -> [MessageExample] {
    let session = ProofingSession(
      id: ExampleParties.session, accountLabel: "m•••@example.org",
      expiresInMilliseconds: 3_600_000, attemptsLeft: 3, kinds: [.licence],
      countries: [.unitedStates, .canada], minimumAge: 16, maximumAge: 120)
    let evidence = LicenceClaims(
      familyName: "VANDERBLOOM", givenName: "MARIGOLD", middleNames: "TESSA",
      birthDate: try date("1990-05-17"), documentNumber: "V1234567",
      expiryDate: try date("2030-05-17"), issuerNumber: "636014", documentKind: .licence)
    return [
      try sealed(
        .claimEnrolmentCode,
        ClaimPayload(
          wallet: ExampleParties.walletID, challenge: challenge(.claimEnrolmentCode),
          secret: ExampleParties.bytes("enrolment secret")),
        answers: [
          ("claimed", .claimed(session), nil),
          (
            "code_refused",
            .codeRefused(
              CodeRefusal(.rateLimited, retryAfterMilliseconds: 600_000, reference: "AB12-CD34")),
            nil
          ),
        ]),
      try sealed(
        .submitEvidence,
        SubmissionPayload(
          wallet: ExampleParties.walletID, challenge: challenge(.submitEvidence),
          session: ExampleParties.session,
          idempotencyKey: ExampleParties.bytes("idempotency key", count: 16), evidence: evidence),
        answers: [
          ("proofed", .proofing(ProofingStatus(.proofed, expiresInMilliseconds: 3_500_000)), nil),
          (
            "resubmit",
            .proofing(
              ProofingStatus(
                .resubmit, reason: .notMatched, attemptsLeft: 2, expiresInMilliseconds: 3_500_000)),
            nil
          ),
        ]),
      try plain(
        .proofingStatus, SessionPayload(session: ExampleParties.session),
        answers: [
          (
            "pending",
            .proofing(
              ProofingStatus(
                .pending, retryAfterMilliseconds: 30_000, expiresInMilliseconds: 3_400_000,
                reference: "AB12-CD34")), nil
          )
        ]),
      try issuanceExample(),
      try plain(
        .releaseClaim, SessionPayload(session: ExampleParties.session),
        answers: [("released", .released, nil)]),
    ]
  }

  /// ES256 signatures are random, so those of this example are replaced by words.
  private mutating func issuanceExample() throws -> MessageExample {
    let proof = PIDKeyProofClaims(
      audience: ExampleParties.providerID, wallet: ExampleParties.walletID,
      session: ExampleParties.session, challenge: challenge(.issuePID))
    let copies = IssuedPID(copies: ["an SD-JWT for the first key", "one for the second key"])
    let box = try parties.recipient.seal(
      try WireJSON.encode(copies), ephemeral: "ephemeral key of the PID")
    var example = try sealed(
      .issuePID,
      IssuancePayload(
        session: ExampleParties.session,
        keys: ["first", "second"].map {
          IssuancePayload.Key(
            key: "the \($0) key, in DER", proof: "the proof, signed by the \($0) key")
        }, recipient: shareRecipient),
      answers: [("pid", .pid(Base64URL.encode(box)), nil)])
    try example.add("proof", json: proof)
    try example.add("PID", json: copies)
    return example
  }

  private func date(_ text: String) throws -> CalendarDate {
    guard let date = CalendarDate(text) else { throw WireError.encodingRefused }
    return date
  }
}
