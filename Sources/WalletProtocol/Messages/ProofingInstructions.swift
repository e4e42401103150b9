// The payloads of the instructions of the identity proofing.

/// A sealed payload that names its wallet and request, so that it is useless in the instruction of
/// another wallet.
public protocol BoundPayload {
  var wallet: String { get }
  /// The challenge of this instruction.
  var challenge: String { get }
}

/// The payload of `claim_enrolment_code`; sealed.
public struct ClaimPayload: Codable, Sendable, RedactedDescription, BoundPayload {
  public var wallet: String
  public var challenge: String
  /// Base64url of the enrolment code's secret, 16 to 32 bytes.
  public var secret: String

  public init(wallet: String, challenge: String, secret: String) {
    self.wallet = wallet
    self.challenge = challenge
    self.secret = secret
  }
}

/// The payload of `release_claim` and `proofing_status`.
public struct SessionPayload: Codable, Equatable, Sendable {
  /// The id of the proofing session.
  public var session: String

  public init(session: String) { self.session = session }
}

/// The payload of `submit_evidence`; sealed. `Evidence` is `LicenceEvidence` in the wallet, which
/// writes it, and `LicenceClaims` at the provider, which reads it.
public struct SubmissionPayload<Evidence: Codable & Sendable>: Codable, Sendable,
  RedactedDescription,
  BoundPayload
{
  public var wallet: String
  public var challenge: String
  public var session: String
  /// Base64url of 16 random bytes: the same for every repetition of the same evidence, a new one
  /// after another scan.
  public var idempotencyKey: String
  public var evidence: Evidence

  public init(
    wallet: String, challenge: String, session: String, idempotencyKey: String, evidence: Evidence
  ) {
    self.wallet = wallet
    self.challenge = challenge
    self.session = session
    self.idempotencyKey = idempotencyKey
    self.evidence = evidence
  }

  enum CodingKeys: String, CodingKey {
    case wallet, challenge, session, evidence
    case idempotencyKey = "idempotency_key"
  }
}

/// The payload of `issue_pid`; sealed.
public struct IssuancePayload: Codable, Sendable, RedactedDescription {
  /// The maximum number of copies of a PID.
  public static let maximumCopies = 20

  /// A key that a copy of the PID is to be bound to.
  public struct Key: Codable, Sendable, RedactedDescription {
    /// Base64url of the SubjectPublicKeyInfo, P-256.
    public var key: String
    /// Compact JWS of `PIDKeyProofClaims`, type `pidKeyProof`, signed by the private half of `key`.
    public var proof: String

    public init(key: String, proof: String) {
      self.key = key
      self.proof = proof
    }
  }

  public var session: String
  /// 1 to `maximumCopies` different keys; a copy is issued for each, in their order.
  public var keys: [Key]
  /// Base64url of the 32-byte X25519 key, made for this request only, that the PID is sealed to.
  public var recipient: String

  public init(session: String, keys: [Key], recipient: String) {
    self.session = session
    self.keys = keys
    self.recipient = recipient
  }
}

/// A PID as it is issued: what the provider seals to `IssuancePayload.recipient`.
public struct IssuedPID: Codable, Sendable, RedactedDescription {
  /// SD-JWT VCs in compact form, one for each key of the request, in their order.
  public var copies: [String]

  public init(copies: [String]) { self.copies = copies }
}

/// The content that a PID key signs to prove that the wallet has it.
public struct PIDKeyProofClaims: Codable, Equatable, Sendable {
  /// `wireVersion`.
  public var version: Int
  /// The provider's id.
  public var audience: String
  public var wallet: String
  public var session: String
  /// The challenge of this instruction.
  public var challenge: String

  public init(audience: String, wallet: String, session: String, challenge: String) {
    self.version = wireVersion
    self.audience = audience
    self.wallet = wallet
    self.session = session
    self.challenge = challenge
  }
}
