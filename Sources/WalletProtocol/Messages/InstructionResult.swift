/// The provider's answer to an instruction, signed (type `instructionResult`) with a result key.
///
/// It is bound to one request, so that an attacker who keeps or swaps answers cannot pass one off
/// for another.
public struct InstructionResultClaims: Codable, Equatable, Sendable {
  /// `wireVersion`.
  public var version: Int
  /// The provider's id.
  public var issuer: String
  /// As in the request.
  public var wallet: String
  /// As in the request.
  public var instruction: InstructionName
  /// As in the request.
  public var challenge: String?
  /// As in the request.
  public var sequence: UInt64
  /// Base64url of the SHA-256 of the request's outer compact JWS (ASCII).
  public var requestHash: String
  public var outcome: InstructionOutcome
  /// Only with `check_pin`, `pin_state`, `begin_pin_change`, `decide_replacement` and
  /// `authorize_use`: another wallet that waits to take the place of this one.
  public var replacement: ReplacementNotice?
  /// Only with `pin_state`: as in the outcome of a right PIN, whatever the outcome is. A wallet that
  /// is unlocked without a PIN hears of wrong ones by this alone.
  public var failures: FailedAttempts?

  public init(
    issuer: String, answering claims: InstructionClaims, requestHash: String,
    outcome: InstructionOutcome, replacement: ReplacementNotice? = nil,
    failures: FailedAttempts? = nil
  ) {
    self.version = wireVersion
    self.issuer = issuer
    self.wallet = claims.wallet
    self.instruction = claims.instruction
    self.challenge = claims.challenge
    self.sequence = claims.sequence
    self.requestHash = requestHash
    self.outcome = outcome
    self.replacement = replacement
    self.failures = failures
  }

  enum CodingKeys: String, CodingKey {
    case version, issuer, wallet, instruction, challenge, sequence, outcome, replacement, failures
    case requestHash = "request_hash"
  }

  /// Whether this answers the request of `claims`, whose outer signature hashes to `requestHash`.
  public func answers(_ claims: InstructionClaims, requestHash: String, issuer: String) -> Bool {
    version == wireVersion && self.issuer == issuer && wallet == claims.wallet
      && instruction == claims.instruction && challenge == claims.challenge
      && sequence == claims.sequence && self.requestHash == requestHash
  }
}

/// The wrong PINs of a wallet, no matter who entered them. The answer to a right PIN tells of them.
public struct FailedAttempts: Codable, Equatable, Sendable {
  /// How many there were since the registration. The number never falls, so that the wallet misses
  /// none if an answer is lost.
  public var count: UInt64
  /// When the last wrong PIN came: seconds since 1970 by the provider's clock.
  public var lastAt: Int64

  public init(count: UInt64, lastAt: Int64) {
    self.count = count
    self.lastAt = lastAt
  }

  enum CodingKeys: String, CodingKey {
    case count
    case lastAt = "last_at"
  }
}

/// The outcome of an instruction.
public enum InstructionOutcome: Equatable, Sendable {
  /// `challenge`: a challenge was made. Base64url of 32 bytes; its life in milliseconds. With an
  /// evaluation if the challenge is for `register` or an attempt at the PIN. With `registration`,
  /// which the wallet sends back, only for `register`.
  case challenge(
    String, expiresInMilliseconds: UInt64, evaluation: PinEvaluation? = nil,
    registration: String? = nil)
  /// `register`: the account exists, pending until it is confirmed. `certificate` is a compact JWS.
  /// `share` is base64url of the 32-byte unlock share, sealed to the request's share recipient.
  /// `receipt` is a compact JWS of `EvaluatorReceipt`, by the evaluator.
  case registered(certificate: String, share: String, receipt: String)
  /// `register`: the hardware key belongs to a confirmed wallet. The PIN makes no difference.
  case alreadyRegistered
  /// `confirm_registration`: the account is confirmed (also when it was before).
  case confirmed
  /// `delete_wallet`: the account is gone.
  case deleted
  /// `check_pin`, `begin_pin_change`, `prepare_pin_change`, `decide_replacement`: the PIN is right.
  /// `share` is as in `registered`. `evaluation` is that of the new PIN, only with
  /// `begin_pin_change`. After `prepare_pin_change` the key of the new PIN is accepted too. After
  /// `decide_replacement` the decision is in force, unless the replacement had ended before.
  /// `failures` is nil if there was never a wrong PIN.
  case valid(share: String, failures: FailedAttempts? = nil, evaluation: PinEvaluation? = nil)
  /// `authorize_use`: the PIN is right. What became of each slot, in the order of the request;
  /// base64url of the keys of the opened ones, 32 bytes each in that order, sealed together to the
  /// request's recipient; `failures` as in `valid`.
  case authorized(slots: [SlotVerdict], keys: String, failures: FailedAttempts? = nil)
  /// `check_pin`, `begin_pin_change`, `decide_replacement`, `authorize_use`: the PIN is wrong. The
  /// attempt was counted when it was evaluated.
  case wrong(attemptsLeft: UInt32, finalRound: Bool)
  /// `pin_state`: no block is running, and this is how many attempts the round has left.
  case notBlocked(attemptsLeft: UInt32, finalRound: Bool)
  /// The instructions of `wrong`, their challenge, and `pin_state`: the PIN is blocked for this many
  /// milliseconds. If `counted`, this attempt was wrong and used up its round, and the full block begins now.
  /// Otherwise a block was already running, and the PIN was not looked at. `pin_state` never
  /// counts.
  case blocked(milliseconds: UInt64, counted: Bool)
  /// The instructions of `wrong`, their challenge, and `pin_state`: the PIN is blocked for good, either by this
  /// attempt (`counted`) or by an earlier one.
  case blockedPermanently(counted: Bool)
  /// `commit_pin_change`: only the new PIN is accepted (also if that was so before).
  /// `cancel_pin_change`: too late, this change was committed.
  case pinChangeCommitted
  /// `cancel_pin_change`: the new PIN is not accepted (also when it never was).
  case pinChangeCancelled
  /// `commit_pin_change`: the change is neither prepared nor the one that was committed last.
  case unknownPinChange
  /// `claim_enrolment_code`: the code is this wallet's now (also when it was before).
  case claimed(ProofingSession)
  /// `claim_enrolment_code`: the wallet could not claim the code.
  case codeRefused(CodeRefusal)
  /// `release_claim`: the code can be claimed again, by anyone (also when there was no such claim).
  case released
  /// `submit_evidence`, `proofing_status`, and `issue_pid` where no PID can be issued: how the
  /// proofing stands.
  case proofing(ProofingStatus)
  /// `issue_pid`: base64url of the PID (an SD-JWT VC in compact form, UTF-8), sealed to the
  /// request's recipient.
  case pid(String)
  /// Any instruction: the sequence number was not greater than `current`, the highest one accepted
  /// so far.
  case sequenceRefused(current: UInt64)
  /// Any instruction: the provider has no such wallet (never had, expired unconfirmed, or deleted).
  case unknownWallet
}

extension InstructionOutcome: Codable {
  private enum Kind: String, Codable {
    case challenge, registered, confirmed, deleted, valid, wrong, blocked
    case claimed, released, proofing, pid
    case authorized
    case notBlocked = "not_blocked"
    case codeRefused = "code_refused"
    case alreadyRegistered = "already_registered"
    case blockedPermanently = "blocked_permanently"
    case pinChangeCommitted = "pin_change_committed"
    case pinChangeCancelled = "pin_change_cancelled"
    case unknownPinChange = "unknown_pin_change"
    case sequenceRefused = "sequence_refused"
    case unknownWallet = "unknown_wallet"
  }

  private enum CodingKeys: String, CodingKey {
    case kind, challenge, certificate, share, receipt, current, counted
    case session, refusal, status, pid, failures, evaluation, slots, keys
    case registration = "registration_state"
    case expiresIn = "expires_in_ms"
    case attemptsLeft = "attempts_left"
    case finalRound = "final_round"
    case blockedFor = "blocked_for_ms"
  }

  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    switch try members.decode(Kind.self, forKey: .kind) {
    case .challenge:
      self = .challenge(
        try members.decode(String.self, forKey: .challenge),
        expiresInMilliseconds: try members.decode(UInt64.self, forKey: .expiresIn),
        evaluation: try members.decodeIfPresent(PinEvaluation.self, forKey: .evaluation),
        registration: try members.decodeIfPresent(String.self, forKey: .registration))
    case .registered:
      self = .registered(
        certificate: try members.decode(String.self, forKey: .certificate),
        share: try members.decode(String.self, forKey: .share),
        receipt: try members.decode(String.self, forKey: .receipt))
    case .alreadyRegistered: self = .alreadyRegistered
    case .confirmed: self = .confirmed
    case .deleted: self = .deleted
    case .valid:
      self = .valid(
        share: try members.decode(String.self, forKey: .share),
        failures: try members.decodeIfPresent(FailedAttempts.self, forKey: .failures),
        evaluation: try members.decodeIfPresent(PinEvaluation.self, forKey: .evaluation))
    case .authorized:
      self = .authorized(
        slots: try members.decode([SlotVerdict].self, forKey: .slots),
        keys: try members.decode(String.self, forKey: .keys),
        failures: try members.decodeIfPresent(FailedAttempts.self, forKey: .failures))
    case .wrong:
      self = .wrong(
        attemptsLeft: try members.decode(UInt32.self, forKey: .attemptsLeft),
        finalRound: try members.decode(Bool.self, forKey: .finalRound))
    case .notBlocked:
      self = .notBlocked(
        attemptsLeft: try members.decode(UInt32.self, forKey: .attemptsLeft),
        finalRound: try members.decode(Bool.self, forKey: .finalRound))
    case .blocked:
      self = .blocked(
        milliseconds: try members.decode(UInt64.self, forKey: .blockedFor),
        counted: try members.decode(Bool.self, forKey: .counted))
    case .blockedPermanently:
      self = .blockedPermanently(counted: try members.decode(Bool.self, forKey: .counted))
    case .pinChangeCommitted: self = .pinChangeCommitted
    case .pinChangeCancelled: self = .pinChangeCancelled
    case .unknownPinChange: self = .unknownPinChange
    case .claimed:
      self = .claimed(try members.decode(ProofingSession.self, forKey: .session))
    case .codeRefused:
      self = .codeRefused(try members.decode(CodeRefusal.self, forKey: .refusal))
    case .released: self = .released
    case .proofing:
      self = .proofing(try members.decode(ProofingStatus.self, forKey: .status))
    case .pid: self = .pid(try members.decode(String.self, forKey: .pid))
    case .sequenceRefused:
      self = .sequenceRefused(current: try members.decode(UInt64.self, forKey: .current))
    case .unknownWallet: self = .unknownWallet
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: CodingKeys.self)
    switch self {
    case .challenge(let challenge, let expiresIn, let evaluation, let registration):
      try members.encode(Kind.challenge, forKey: .kind)
      try members.encode(challenge, forKey: .challenge)
      try members.encode(expiresIn, forKey: .expiresIn)
      try members.encodeIfPresent(evaluation, forKey: .evaluation)
      try members.encodeIfPresent(registration, forKey: .registration)
    case .registered(let certificate, let share, let receipt):
      try members.encode(Kind.registered, forKey: .kind)
      try members.encode(certificate, forKey: .certificate)
      try members.encode(share, forKey: .share)
      try members.encode(receipt, forKey: .receipt)
    case .alreadyRegistered: try members.encode(Kind.alreadyRegistered, forKey: .kind)
    case .confirmed: try members.encode(Kind.confirmed, forKey: .kind)
    case .deleted: try members.encode(Kind.deleted, forKey: .kind)
    case .valid(let share, let failures, let evaluation):
      try members.encode(Kind.valid, forKey: .kind)
      try members.encode(share, forKey: .share)
      try members.encodeIfPresent(failures, forKey: .failures)
      try members.encodeIfPresent(evaluation, forKey: .evaluation)
    case .authorized(let slots, let keys, let failures):
      try members.encode(Kind.authorized, forKey: .kind)
      try members.encode(slots, forKey: .slots)
      try members.encode(keys, forKey: .keys)
      try members.encodeIfPresent(failures, forKey: .failures)
    case .wrong(let attemptsLeft, let finalRound):
      try members.encode(Kind.wrong, forKey: .kind)
      try members.encode(attemptsLeft, forKey: .attemptsLeft)
      try members.encode(finalRound, forKey: .finalRound)
    case .notBlocked(let attemptsLeft, let finalRound):
      try members.encode(Kind.notBlocked, forKey: .kind)
      try members.encode(attemptsLeft, forKey: .attemptsLeft)
      try members.encode(finalRound, forKey: .finalRound)
    case .blocked(let milliseconds, let counted):
      try members.encode(Kind.blocked, forKey: .kind)
      try members.encode(counted, forKey: .counted)
      try members.encode(milliseconds, forKey: .blockedFor)
    case .blockedPermanently(let counted):
      try members.encode(Kind.blockedPermanently, forKey: .kind)
      try members.encode(counted, forKey: .counted)
    case .pinChangeCommitted: try members.encode(Kind.pinChangeCommitted, forKey: .kind)
    case .pinChangeCancelled: try members.encode(Kind.pinChangeCancelled, forKey: .kind)
    case .unknownPinChange: try members.encode(Kind.unknownPinChange, forKey: .kind)
    case .claimed(let session):
      try members.encode(Kind.claimed, forKey: .kind)
      try members.encode(session, forKey: .session)
    case .codeRefused(let refusal):
      try members.encode(Kind.codeRefused, forKey: .kind)
      try members.encode(refusal, forKey: .refusal)
    case .released: try members.encode(Kind.released, forKey: .kind)
    case .proofing(let status):
      try members.encode(Kind.proofing, forKey: .kind)
      try members.encode(status, forKey: .status)
    case .pid(let pid):
      try members.encode(Kind.pid, forKey: .kind)
      try members.encode(pid, forKey: .pid)
    case .sequenceRefused(let current):
      try members.encode(Kind.sequenceRefused, forKey: .kind)
      try members.encode(current, forKey: .current)
    case .unknownWallet: try members.encode(Kind.unknownWallet, forKey: .kind)
    }
  }
}

/// The body of every signed answer.
public struct InstructionAnswer: Codable, Equatable, Sendable {
  /// Compact JWS of `InstructionResultClaims`.
  public var result: String

  public init(result: String) { self.result = result }
}

/// The wallet certificate: what the provider registered, signed (type `certificate`).
public struct CertificateClaims: Codable, Equatable, Sendable {
  /// `wireVersion`.
  public var version: Int
  /// The provider's id.
  public var issuer: String
  /// The id that the provider gave the wallet.
  public var wallet: String
  /// The registration id that the wallet chose.
  public var registration: String
  /// Base64url of the SHA-256 of the hardware key's SubjectPublicKeyInfo.
  public var hardwareKeyHash: String
  /// Whether the hardware key's attestation was verified.
  public var attested: Bool
  /// Seconds since 1970 by the provider's clock.
  public var issuedAt: Int64

  public init(
    issuer: String, wallet: String, registration: String, hardwareKeyHash: String, attested: Bool,
    issuedAt: Int64
  ) {
    self.version = wireVersion
    self.issuer = issuer
    self.wallet = wallet
    self.registration = registration
    self.hardwareKeyHash = hardwareKeyHash
    self.attested = attested
    self.issuedAt = issuedAt
  }

  enum CodingKeys: String, CodingKey {
    case version, issuer, wallet, registration, attested
    case hardwareKeyHash = "hardware_key_hash"
    case issuedAt = "iat"
  }
}
