internal import WalletConfiguration
internal import WalletModel
internal import WalletProofing
internal import WalletProtocol
internal import WalletRuntime
internal import WalletStorage
internal import WalletUseCases

/// Everything that the core reads from outside, one target each. A directory of `Corpus` has its
/// name.
enum FuzzTarget: String, CaseIterable {
  case licence
  case enrolmentCode = "enrolment_code"
  case signedMessage = "signed_message"
  case clientConfiguration = "client_configuration"
  case configuration
  case updatePolicy = "update_policy"
  case instructionAnswer = "instruction_answer"
  case instructionResult = "instruction_result"
  case evaluatorGrant = "evaluator_grant"
  case evaluatorReceipt = "evaluator_receipt"
  case certificate
  case problem
  case proofingSession = "proofing_session"
  case proofingStatus = "proofing_status"
  case codeRefusal = "code_refusal"
  case hardwareReply = "hardware_reply"
  case keyAsJSON = "key_as_json"
  case providerURL = "provider_url"
  case universalLink = "universal_link"
  case appVersion = "app_version"
  case httpAnswer = "http_answer"
  case storedConfiguration = "stored_configuration"
  case storedUpdatePolicy = "stored_update_policy"
  case wipeNote = "wipe_note"
  case keyNotes = "key_notes"
  case compactJWS = "compact_jws"
  case compactJWE = "compact_jwe"
  case certificateChain = "certificate_chain"
  case foreignCard = "foreign_card"
  case statusList = "status_list"
  case compressed
  case cardQuery = "card_query"
  case presentationLink = "presentation_link"
  case requestObject = "request_object"

  /// - Returns: whether it was accepted.
  @discardableResult
  func run(_ bytes: [UInt8]) -> Bool {
    switch self {
    case .licence: readLicence(bytes)
    case .enrolmentCode: readCode(bytes)
    case .signedMessage: readSignedMessage(String(decoding: bytes, as: UTF8.self))
    case .clientConfiguration: readClientConfiguration(bytes)
    case .configuration: readMessage(ConfigurationClaims.self, bytes)
    case .updatePolicy: readMessage(UpdatePolicyClaims.self, bytes)
    case .instructionAnswer: readMessage(InstructionAnswer.self, bytes)
    case .instructionResult: readMessage(InstructionResultClaims.self, bytes)
    case .evaluatorGrant: readMessage(EvaluatorGrant.self, bytes)
    case .evaluatorReceipt: readMessage(EvaluatorReceipt.self, bytes)
    case .certificate: readMessage(CertificateClaims.self, bytes)
    case .problem: readMessage(Problem.self, bytes)
    case .proofingSession: readMessage(ProofingSession.self, bytes)
    case .proofingStatus: readMessage(ProofingStatus.self, bytes)
    case .codeRefusal: readMessage(CodeRefusal.self, bytes)
    case .hardwareReply: readHardwareReply(bytes)
    case .keyAsJSON: readKeyAsJSON(bytes)
    case .providerURL: readProviderURL(String(decoding: bytes, as: UTF8.self))
    case .universalLink: readLink(String(decoding: bytes, as: UTF8.self))
    case .appVersion: readVersions(String(decoding: bytes, as: UTF8.self))
    case .httpAnswer: readAnswer(bytes)
    case .storedConfiguration: readMessage(StoredConfiguration.self, bytes)
    case .storedUpdatePolicy: readMessage(StoredUpdatePolicy.self, bytes)
    case .wipeNote: readMessage(PendingWipe.Sealed.self, bytes)
    case .keyNotes: readKeyNotes(bytes)
    case .compactJWS: readCompactJWS(bytes)
    case .compactJWE: readCompactJWE(bytes)
    case .certificateChain: readChain(bytes)
    case .foreignCard: readForeignCard(bytes)
    case .statusList: readStatusList(bytes)
    case .compressed: readCompressed(bytes)
    case .cardQuery: readCardQuery(bytes)
    case .presentationLink: readPresentationLink(String(decoding: bytes, as: UTF8.self))
    case .requestObject: readRequestObject(bytes)
    }
  }
}

// MARK: What is scanned

/// 1 September 2026, noon in UTC.
private let now: Int64 = 1_788_264_000

private func readLicence(_ bytes: [UInt8]) -> Bool {
  bytes.withUnsafeBytes { raw in
    func read() -> LicenceEvidence? {
      try? LicenceEvidence(scanned: raw, symbology: .pdf417, now: now, policy: ProofingPolicy())
    }
    guard let evidence = read() else { return false }
    precondition(evidence == read(), "the same card is read in two ways")
    let texts = [
      evidence.familyName, evidence.givenName, evidence.middleNames, evidence.nameSuffix,
      evidence.documentNumber,
    ]
    for text in texts.compactMap({ $0?.disclosed() }) {
      let isClean = text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "|") }
      precondition(isClean, "a separator")
      // No word of a name or of a number begins with these.
      for id in [" DBK", " DBN", " DCK", " DCF", " DCG"] {
        precondition(!text.contains(id), "an element behind a blank")
      }
    }
    let wire = try? WireJSON.encode(evidence)
    let claims = wire.flatMap { try? WireJSON.decode(LicenceClaims.self, from: $0) }
    precondition(claims != nil, "the provider cannot read what leaves")
    return true
  }
}

private func readCode(_ bytes: [UInt8]) -> Bool {
  let hosts = ["id.example.org"]
  let isCode = bytes.withUnsafeBytes { raw in
    (try? EnrolmentCode(scanned: raw, symbology: .qrCode, hosts: hosts)) != nil
  }
  if case .valid(.enrolment, _) = UniversalLink(bytes, hosts: hosts) { return isCode }
  precondition(!isCode, "a code that is no link for an enrolment")
  return false
}

// MARK: What is signed

/// Finds every signature valid: a fuzzer would never get behind a real one.
struct Believer: Verifier {
  let algorithm: SignatureAlgorithm

  func isValid(signature: [UInt8], for message: [UInt8]) -> Bool { true }
}

private func readSignedMessage(_ text: String) -> Bool {
  guard let message = try? SignedMessage(parsing: text) else { return false }
  let believer = Believer(algorithm: .edDSA)
  let contents: [(any Sendable)?] = [
    try? message.content(ConfigurationClaims.self, type: .configuration, verifier: believer),
    try? message.content(UpdatePolicyClaims.self, type: .updatePolicy, verifier: believer),
    try? message.content(
      InstructionResultClaims.self, type: .instructionResult, verifier: believer),
    try? message.content(CertificateClaims.self, type: .certificate, verifier: believer),
  ]
  return contents.contains { $0 != nil }
}

// MARK: Messages

private func readClientConfiguration(_ bytes: [UInt8]) -> Bool {
  _ = try? ConfigurationAnchor(document: bytes, pinnedKeys: [])
  return readMessage(ClientConfiguration.self, bytes)
}

private func readMessage<Message: Codable & Equatable>(_: Message.Type, _ bytes: [UInt8]) -> Bool {
  guard let message = try? WireJSON.decode(Message.self, from: bytes) else { return false }
  let written = try? WireJSON.encode(message)
  let again = written.flatMap { try? WireJSON.decode(Message.self, from: $0) }
  precondition(again == message, "a message that does not survive the wire")
  return true
}

// MARK: What lies unsealed on disk

/// Accepted where no line is lost.
private func readKeyNotes(_ bytes: [UInt8]) -> Bool {
  for isOrphaned in [false, true] {
    let notes = PlatformKeyNotes(reading: bytes, isOrphaned: isOrphaned)
    precondition(!isOrphaned || notes.current.isEmpty, "a key of a wallet that is gone")
    let again = PlatformKeyNotes(reading: notes.content, isOrphaned: false)
    precondition(again == notes, "notes that change when written")
  }
  return PlatformKeyNotes(reading: bytes, isOrphaned: false).content == bytes
}
