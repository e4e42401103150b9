// The provider's answers in the identity proofing. None contains personal data except the masked
// label of the account.

/// A claimed enrolment code.
public struct ProofingSession: Codable, Equatable, Sendable {
  /// An opaque id.
  public var id: String
  /// The account's label with most of it masked, e.g. "m•••@example.org", for the user to confirm.
  public var accountLabel: String
  /// The lifetime of the session, in milliseconds.
  public var expiresInMilliseconds: UInt64
  /// How often a licence may still fail.
  public var attemptsLeft: UInt32
  /// Kinds of documents that are accepted.
  public var kinds: [LicenceKind]
  /// Countries whose documents are accepted.
  public var countries: [LicenceCountry]
  /// In full years.
  public var minimumAge: Int
  public var maximumAge: Int

  public init(
    id: String, accountLabel: String, expiresInMilliseconds: UInt64, attemptsLeft: UInt32,
    kinds: [LicenceKind], countries: [LicenceCountry], minimumAge: Int, maximumAge: Int
  ) {
    self.id = id
    self.accountLabel = accountLabel
    self.expiresInMilliseconds = expiresInMilliseconds
    self.attemptsLeft = attemptsLeft
    self.kinds = kinds
    self.countries = countries
    self.minimumAge = minimumAge
    self.maximumAge = maximumAge
  }

  enum CodingKeys: String, CodingKey {
    case id, kinds, countries
    case accountLabel = "account_label"
    case expiresInMilliseconds = "expires_in_ms"
    case attemptsLeft = "attempts_left"
    case minimumAge = "minimum_age"
    case maximumAge = "maximum_age"
  }
}

/// Why a code could not be claimed.
public struct CodeRefusal: Codable, Equatable, Sendable {
  public enum Reason: String, Codable, Sendable, CaseIterable {
    /// Unknown, expired or used; the provider does not say which.
    case invalid
    /// Another wallet has claimed it.
    case claimedElsewhere = "claimed_elsewhere"
    /// The account is closed or locked.
    case accountFinal = "account_final"
    /// Too many wrong codes from this wallet.
    case rateLimited = "rate_limited"
  }

  public var reason: Reason
  /// The time until another try may succeed, in milliseconds; only with `rateLimited`.
  public var retryAfterMilliseconds: UInt64?
  /// A reference that the user can give to support; only with `accountFinal` and `rateLimited`.
  public var reference: String?

  public init(_ reason: Reason, retryAfterMilliseconds: UInt64? = nil, reference: String? = nil) {
    self.reason = reason
    self.retryAfterMilliseconds = retryAfterMilliseconds
    self.reference = reference
  }

  enum CodingKeys: String, CodingKey {
    case reason, reference
    case retryAfterMilliseconds = "retry_after_ms"
  }
}

/// The state of a proofing.
public struct ProofingStatus: Codable, Equatable, Sendable {
  public enum State: String, Codable, Sendable, CaseIterable {
    /// The code is claimed, and no valid submission was made.
    case open
    /// The decision is pending; ask again after `retryAfterMilliseconds`.
    case pending
    /// The evidence is accepted, but the account already has a proofed wallet. The PID can be
    /// issued after `retryAfterMilliseconds`, or as soon as the owner of the proofed wallet agrees
    /// to be replaced or that wallet is deleted.
    case waiting
    /// Proofed: the PID can be issued. As the answer to `issue_pid`: it is issued only after the PIN
    /// was checked, because nobody has proved the PIN since the verdict.
    case proofed
    /// The submission is not sufficient; `reason` says why. Other evidence may be sent
    /// `attemptsLeft` more times.
    case resubmit
    /// The issuing source of the document does not answer; the same evidence may be sent again
    /// after `retryAfterMilliseconds`.
    case sourceUnavailable = "source_unavailable"
    /// Permanently refused, without a reason. The code is consumed.
    case declined
    /// The attempts are spent. The code is consumed.
    case exhausted
    /// No such session of this wallet: expired, released, superseded or never there.
    case lapsed
  }

  public enum Reason: String, Codable, Sendable, CaseIterable {
    /// The rules refuse the document as it was read; better evidence is needed.
    case document
    /// The document does not match the account or what its issuing source knows.
    case notMatched = "not_matched"
  }

  public var state: State
  /// Only with `resubmit`.
  public var reason: Reason?
  /// With `open` and `resubmit`.
  public var attemptsLeft: UInt32?
  /// With `pending`, `waiting` and `sourceUnavailable`; with `exhausted` when a new code can help.
  public var retryAfterMilliseconds: UInt64?
  /// The remaining lifetime of the session; with `open`, `pending`, `waiting`, `proofed`, `resubmit`
  /// and `sourceUnavailable`.
  public var expiresInMilliseconds: UInt64?
  /// A reference that the user can give to support; with `pending`, `waiting`, `declined` and
  /// `exhausted`.
  public var reference: String?

  public init(
    _ state: State, reason: Reason? = nil, attemptsLeft: UInt32? = nil,
    retryAfterMilliseconds: UInt64? = nil, expiresInMilliseconds: UInt64? = nil,
    reference: String? = nil
  ) {
    self.state = state
    self.reason = reason
    self.attemptsLeft = attemptsLeft
    self.retryAfterMilliseconds = retryAfterMilliseconds
    self.expiresInMilliseconds = expiresInMilliseconds
    self.reference = reference
  }

  enum CodingKeys: String, CodingKey {
    case state, reason, reference
    case attemptsLeft = "attempts_left"
    case retryAfterMilliseconds = "retry_after_ms"
    case expiresInMilliseconds = "expires_in_ms"
  }
}
