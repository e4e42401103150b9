/// A claim of an enrolment code, and its result.
public struct StoredProofingSession: Sendable, Equatable {
  /// The state of a session, by its wire name.
  public enum State: String, Sendable, CaseIterable {
    case open, pending, proofed, resubmit, declined, exhausted
    case sourceUnavailable = "source_unavailable"

    /// Whether there was a final verdict.
    public var isTerminal: Bool { [.proofed, .declined, .exhausted].contains(self) }
  }

  /// Submitted evidence.
  public struct Submission: Sendable, Equatable {
    /// The 16 bytes that distinguish a resend from new evidence.
    public var idempotencyKey: [UInt8]
    /// Keyed hash of the evidence. An unkeyed hash could be tested against a list of people.
    public var digest: [UInt8]

    public init(idempotencyKey: [UInt8], digest: [UInt8]) {
      self.idempotencyKey = idempotencyKey
      self.digest = digest
    }
  }

  /// The personal data, kept as long as it is needed.
  public struct SealedRecord: Sendable, Equatable {
    /// The id of the key that sealed it.
    public var key: String
    /// The evidence while the session is pending, and the data of the PID once the session is
    /// proofed.
    public var content: [UInt8]

    public init(key: String, content: [UInt8]) {
      self.key = key
      self.content = content
    }
  }

  /// Random, assigned by the provider.
  public var id: String
  /// The hash of the claimed code.
  public var code: [UInt8]
  public var account: String
  public var wallet: String
  /// Milliseconds since 1970; from then on the session no longer exists.
  public var expiresAt: Int64
  public var state: State
  /// The wire name of a `ProofingStatus.Reason`; only with `resubmit`.
  public var reason: String?
  /// The reference that the user can quote to support.
  public var reference: String?
  /// The latest submission.
  public var submission: Submission?
  public var record: SealedRecord?
  /// Milliseconds since 1970.
  public var decidedAt: Int64?
  /// Whether the issuing source confirmed the evidence; only with `proofed`.
  public var sourceMatched: Bool
  /// SHA-256 of the SHA-256s of the keys that the PID was issued for, in their order; nil before. The
  /// PID is issued for no other keys.
  public var pidKeys: [UInt8]?
  /// Set if the evidence was accepted but another wallet is proofed for the account: from this time
  /// on, in milliseconds since 1970, this session's wallet may take the place of that one. It is
  /// `agreed` if the owner of the other wallet has agreed to be replaced; nil if the session waits
  /// for no other wallet.
  public var replacesAt: Int64?
  /// Milliseconds since 1970: when the wait for that wallet began. It does not follow from
  /// `replacesAt`, because the setting of the wait may have changed since.
  public var waitsSince: Int64?

  /// The value of `replacesAt` after the owner of the other wallet has agreed. As a time it has
  /// always passed, so the session no longer waits.
  public static let agreed: Int64 = 0

  public init(
    id: String, code: [UInt8], account: String, wallet: String, expiresAt: Int64,
    state: State = .open, reason: String? = nil, reference: String? = nil,
    submission: Submission? = nil, record: SealedRecord? = nil, decidedAt: Int64? = nil,
    sourceMatched: Bool = false, pidKeys: [UInt8]? = nil, replacesAt: Int64? = nil,
    waitsSince: Int64? = nil
  ) {
    self.id = id
    self.code = code
    self.account = account
    self.wallet = wallet
    self.expiresAt = expiresAt
    self.state = state
    self.reason = reason
    self.reference = reference
    self.submission = submission
    self.record = record
    self.decidedAt = decidedAt
    self.sourceMatched = sourceMatched
    self.pidKeys = pidKeys
    self.replacesAt = replacesAt
    self.waitsSince = waitsSince
  }

  /// Waits for no other wallet any more.
  mutating func endWait() {
    replacesAt = nil
    waitsSince = nil
  }
}
