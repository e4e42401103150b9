/// A claim of an enrolment code, and what came of it.
public struct StoredProofingSession: Sendable, Equatable {
  /// How a session stands; the words of the wire.
  public enum State: String, Sendable, CaseIterable {
    case open, pending, proofed, resubmit, declined, exhausted
    case sourceUnavailable = "source_unavailable"

    /// Whether there was a verdict that nothing changes.
    public var isTerminal: Bool { [.proofed, .declined, .exhausted].contains(self) }
  }

  /// Evidence that was submitted.
  public struct Submission: Sendable, Equatable {
    /// The 16 bytes that tell a resend from new evidence.
    public var idempotencyKey: [UInt8]
    /// Keyed hash of the evidence; a plain one would let a dictionary of people be tried on it.
    public var digest: [UInt8]

    public init(idempotencyKey: [UInt8], digest: [UInt8]) {
      self.idempotencyKey = idempotencyKey
      self.digest = digest
    }
  }

  /// What is kept of the person, as long as it is needed.
  public struct SealedRecord: Sendable, Equatable {
    /// The id of the key that it is sealed with.
    public var key: String
    /// While pending the evidence, after a proofing what the PID says.
    public var content: [UInt8]

    public init(key: String, content: [UInt8]) {
      self.key = key
      self.content = content
    }
  }

  /// Random, given by the provider.
  public var id: String
  /// The hash of the claimed code.
  public var code: [UInt8]
  public var account: String
  public var wallet: String
  /// Milliseconds since 1970; from then on there is no such session.
  public var expiresAt: Int64
  public var state: State
  /// The wire name of a `ProofingStatus.Reason`; only with `resubmit`.
  public var reason: String?
  /// What the user can name to the support.
  public var reference: String?
  /// The latest submission.
  public var submission: Submission?
  public var record: SealedRecord?
  /// Milliseconds since 1970.
  public var decidedAt: Int64?
  /// Whether the issuing source confirmed the evidence; only with `proofed`.
  public var sourceMatched: Bool
  /// SHA-256 of the key that the PID was issued for; nil before. It is issued for no other.
  public var pidKey: [UInt8]?

  public init(
    id: String, code: [UInt8], account: String, wallet: String, expiresAt: Int64,
    state: State = .open, reason: String? = nil, reference: String? = nil,
    submission: Submission? = nil, record: SealedRecord? = nil, decidedAt: Int64? = nil,
    sourceMatched: Bool = false, pidKey: [UInt8]? = nil
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
    self.pidKey = pidKey
  }
}
