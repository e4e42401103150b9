internal import Dispatch
internal import Synchronization
internal import WalletAttempts
internal import WalletEvaluator
internal import WalletProtocol
internal import WalletSignatures

// What a provider sends to an evaluator: a list of requests, one after the other. A fuzzer finds no
// signature and no random id. So a message that is the JSON of its claims is signed here, and "0" and
// "1" stand for the wallet's values: its key and a new one, the evaluation of each, both PIN keys.

/// - Returns: Whether each request did what it asks for.
func askEvaluator(_ bytes: [UInt8]) -> Bool {
  guard let requests = try? WireJSON.decode([EvaluatorRequest].self, from: bytes),
    (1...50).contains(requests.count)
  else { return false }
  var world = EvaluatorWorld()
  return requests.reduce(true) { world.ask($1) && $0 }
}

/// An evaluator, and a wallet with its keys.
private struct EvaluatorWorld {
  private let store: MemoryStore
  private let evaluator: Evaluator
  private let hardware: WalletSigner
  private let pins: [WalletSigner]
  private let hardwareKey: String
  /// The evaluations that "0" and "1" stand for, and what was evaluated.
  private var evaluations: [(half: HalfEvaluation, blinded: String)] = []
  /// The attempts since the last right PIN.
  private var attempts = 0

  init() {
    func seed(_ byte: UInt8) -> [UInt8] { [UInt8](repeating: byte, count: 32) }
    guard let keys = EvaluatorKeys(secrets: [seed(1)]),
      let hardware = try? WalletSigner(seed: seed(2)),
      let pins = try? [3, 4].map({ try WalletSigner(seed: seed($0)) }),
      let der = try? SubjectPublicKey(ed25519: hardware.publicKey).der
    else { preconditionFailure("no keys") }
    (self.hardware, self.pins) = (hardware, pins)
    hardwareKey = Base64URL.encode(der)
    store = MemoryStore(keys: keys)
    evaluator = Evaluator(id: "evaluator", keys: keys, store: store, policy: AttemptPolicy.standard)
  }

  mutating func ask(_ given: EvaluatorRequest) -> Bool {
    // No block lasts longer.
    if case .evaluate = given { store.advance(3_600_001) }
    let request = filled(given)
    let answer = answer(request)
    precondition(self.answer(request) == answer, "the same request, another answer")
    return take(answer, to: request)
  }

  private func answer(_ request: EvaluatorRequest) -> EvaluatorAnswer {
    let (evaluator, done, box) = (evaluator, DispatchSemaphore(value: 0), AnswerBox())
    Task.detached {
      let answer = try? await evaluator.answer(request)
      box.answer.withLock { $0 = answer }
      done.signal()
    }
    done.wait()
    guard let answer = box.answer.withLock({ $0 }) else {
      preconditionFailure("the evaluator failed")
    }
    return answer
  }

  private mutating func take(_ answer: EvaluatorAnswer, to request: EvaluatorRequest) -> Bool {
    switch (answer, request) {
    case (.evaluated(let half, _), .open(let envelope)):
      evaluations = [(half, blinded(in: envelope))]
      attempts = 0
    case (.evaluated(let half, let standing), .evaluate(let envelope)):
      let isNew = evaluations.first?.half != half
      if isNew { attempts += 1 }
      precondition(attempts <= AttemptPolicy.standard.lastAttempt, "an attempt too many")
      precondition(standing.attempts >= UInt64(attempts), "an attempt that was not counted")
      if evaluations.isEmpty { preconditionFailure("evaluated without a key") }
      evaluations[0] = (half, blinded(in: envelope))
    case (.proven(let standing, let next), .prove(_, let message)):
      precondition(standing.attempts == 0)
      attempts = 0
      if let next, evaluations.count == 1 { evaluations.append((next, newBlinded(in: message))) }
    case (.done, _), (.adopted, .adopt): break
    case (.blocked(let standing), _):
      precondition(standing.isBlockedPermanently || standing.blockedMilliseconds != nil)
      return standing.isBlockedPermanently
    default: return false
    }
    return true
  }

  private func blinded(in envelope: InstructionEnvelope) -> String {
    Base64URL.decode(envelope.payload)
      .flatMap { try? WireJSON.decode(ChallengePayload.self, from: $0) }?.blinded ?? ""
  }

  private func newBlinded(in message: String) -> String {
    (try? SignedMessage(parsing: message).unverifiedContent(InstructionClaims.self))?.newBlinded
      ?? ""
  }

  // MARK: Filling in

  private func filled(_ request: EvaluatorRequest) -> EvaluatorRequest {
    switch request {
    case .open(let envelope): .open(request: signed(envelope))
    case .evaluate(let envelope): .evaluate(request: signed(envelope))
    case .adopt(let id, let adoption): .adopt(key: key(id), adoption: filled(adoption))
    case .prove(let id, let message): .prove(key: key(id), message: signed(message))
    case .commit(let id): .commit(key: key(id))
    case .cancel(let id): .cancel(key: key(id))
    case .delete(let id): .delete(key: key(id))
    }
  }

  private func filled(_ adoption: PinKeyAdoption) -> PinKeyAdoption {
    func publicKey(_ text: String?) -> [UInt8]? {
      text.flatMap { Int($0) }.flatMap { pins.indices.contains($0) ? pins[$0].publicKey : nil }
    }
    var filled = adoption
    var payloadHash: String?
    if let payload = adoption.payload,
      var change = try? WireJSON.decode(PinChangePayload.self, from: Array(payload.utf8))
    {
      if let key = publicKey(change.newPinPublicKey) {
        change.newPinPublicKey = Base64URL.encode(key)
      }
      change.proof = signed(change.proof)
      let bytes = (try? WireJSON.encode(change)) ?? []
      filled.payload = Base64URL.encode(bytes)
      payloadHash = Base64URL.encode(Digest.sha256(bytes))
    }
    filled.message = signed(adoption.message, payloadHash: payloadHash)
    if let key = publicKey(adoption.publicKey) { filled.publicKey = Base64URL.encode(key) }
    guard
      var claims = try? WireJSON.decode(
        InstructionClaims.self, from: Array(adoption.signature.utf8))
    else { return filled }
    if let key = publicKey(claims.pinKeyCommitment) {
      let opening = Base64URL.decode(adoption.opening) ?? []
      claims.pinKeyCommitment = Base64URL.encode(Digest.sha256(opening + key))
    }
    filled.signature = sign(claims, .instruction, hardware)
    return filled
  }

  private func evaluation(_ text: String?) -> (half: HalfEvaluation, blinded: String)? {
    text.flatMap { Int($0) }.flatMap { evaluations.indices.contains($0) ? evaluations[$0] : nil }
  }

  private func key(_ text: String) -> String { evaluation(text)?.half.key ?? text }

  private func signed(_ envelope: InstructionEnvelope) -> InstructionEnvelope {
    guard
      var claims = try? WireJSON.decode(
        InstructionClaims.self, from: Array(envelope.signature.utf8))
    else { return envelope }
    var payload = Array(envelope.payload.utf8)
    if var challenge = try? WireJSON.decode(ChallengePayload.self, from: payload) {
      challenge.key = challenge.key.map(key)
      payload = (try? WireJSON.encode(challenge)) ?? payload
    }
    claims.payloadHash = Base64URL.encode(Digest.sha256(payload))
    if claims.hardwareKey == "0" { claims.hardwareKey = hardwareKey }
    return InstructionEnvelope(
      signature: sign(claims, .instruction, hardware), payload: Base64URL.encode(payload))
  }

  private func signed(_ message: String, payloadHash: String? = nil) -> String {
    let bytes = Array(message.utf8)
    if var proof = try? WireJSON.decode(NewPinKeyProof.self, from: bytes) {
      if let found = evaluation(proof.evaluation) {
        (proof.evaluation, proof.blinded) = (found.half.evaluation, found.blinded)
      }
      return sign(proof, .newPinKeyProof, pins[1])
    }
    guard var claims = try? WireJSON.decode(InstructionClaims.self, from: bytes) else {
      return message
    }
    if let found = evaluation(claims.evaluation) {
      (claims.evaluation, claims.blinded) = (found.half.evaluation, found.blinded)
    }
    if claims.hardwareKey == "0" { claims.hardwareKey = hardwareKey }
    if let payloadHash { claims.payloadHash = payloadHash }
    return sign(claims, .pinInstruction, pins[0])
  }

  private func sign(
    _ content: some Encodable, _ type: SignedMessageType, _ signer: WalletSigner
  ) -> String {
    guard let message = try? SignedMessage.sign(content, type: type, signer: signer) else {
      preconditionFailure("a message that cannot be signed")
    }
    return message
  }
}

/// A key of the wallet. Its messages name no key.
private struct WalletSigner: Signer {
  private let key: Ed25519Signer
  let algorithm = SignatureAlgorithm.edDSA
  let keyID: String? = nil

  init(seed: [UInt8]) throws { key = try Ed25519Signer(seed: seed) }

  var publicKey: [UInt8] { key.publicKey }

  func sign(_ message: [UInt8]) throws -> [UInt8] { try key.sign(message) }
}

private final class AnswerBox: Sendable {
  let answer = Mutex<EvaluatorAnswer?>(nil)
}

// MARK: The store

/// Sealed rows in memory.
private final class MemoryStore: EvaluatorStore {
  fileprivate struct Rows {
    var sealed: [String: SealedWallet] = [:]
    var openings: [[UInt8]: String] = [:]
    var now: Int64 = 1_700_000_000_000
  }

  private let keys: EvaluatorKeys
  private let rows = Mutex(Rows())

  init(keys: EvaluatorKeys) { self.keys = keys }

  func advance(_ milliseconds: Int64) { rows.withLock { $0.now += milliseconds } }

  func transaction<Result: Sendable>(
    _ body: @escaping @Sendable (any EvaluatorTransaction) throws -> Result
  ) async throws -> Result {
    try rows.withLock { rows in
      let transaction = MemoryTransaction(keys: keys, rows: rows)
      let result = try body(transaction)
      rows = transaction.rows
      return result
    }
  }
}

private final class MemoryTransaction: EvaluatorTransaction {
  private let keys: EvaluatorKeys
  var rows: MemoryStore.Rows

  init(keys: EvaluatorKeys, rows: MemoryStore.Rows) { (self.keys, self.rows) = (keys, rows) }

  var now: Int64 { rows.now }
  let generation = "generation"

  func wallet(key: String) throws -> EvaluatedWallet? {
    try rows.sealed.values.first { $0.key == key || $0.pendingKey == key }?.opened(by: keys)
  }

  func wallet(openedBy request: [UInt8]) throws -> EvaluatedWallet? {
    try rows.openings[request].flatMap { rows.sealed[$0] }?.opened(by: keys)
  }

  func insert(_ wallet: EvaluatedWallet, openedBy request: [UInt8]) throws {
    rows.openings[request] = wallet.id
    rows.sealed[wallet.id] = try SealedWallet(wallet, keys: keys)
  }

  func update(_ wallet: EvaluatedWallet) throws {
    precondition(rows.sealed[wallet.id]?.version == wallet.version, "not the row that was read")
    var next = wallet
    next.version += 1
    rows.sealed[wallet.id] = try SealedWallet(next, keys: keys)
  }

  func keepCount(of _: EvaluatedWallet, isInLastRound _: Bool) {}

  func delete(id: String) { rows.sealed[id] = nil }

  func deleteExpired(by time: Int64) {
    rows.sealed = rows.sealed.filter { $0.value.expiresAt.map { $0 > time } ?? true }
  }
}
