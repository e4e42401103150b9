public import WalletAttempts

/// A wallet as it is stored.
public struct StoredWallet: Sendable, Equatable {
  /// The key of a new PIN that was begun but not committed. Once it is prepared, and until the
  /// commit, both keys are accepted.
  public struct PendingPinKey: Sendable, Equatable {
    /// The id of the change, chosen by the wallet.
    public var change: String
    /// The id of the PIN key at the evaluator.
    public var pinKeyID: String
    /// The provider's half of the key, sealed for this change.
    public var sealedHalf: [UInt8]
    /// The PIN public key, sealed for this change; nil until the change is prepared.
    public var sealedKey: [UInt8]?

    public init(change: String, pinKeyID: String, sealedHalf: [UInt8], sealedKey: [UInt8]? = nil) {
      self.change = change
      self.pinKeyID = pinKeyID
      self.sealedHalf = sealedHalf
      self.sealedKey = sealedKey
    }
  }

  /// Random, assigned by the provider.
  public var id: String
  /// The registration id that the wallet chose.
  public var registration: String
  /// The hardware key's SubjectPublicKeyInfo.
  public var hardwareKey: [UInt8]
  /// SHA-256 of `hardwareKey`; unique.
  public var hardwareKeyHash: [UInt8]
  /// The id of the key that seals the sealed members, including that of `pending`.
  public var sealingKey: String
  /// The PIN public key, sealed because it could be used to verify guesses.
  public var sealedPinKey: [UInt8]
  /// The id of the PIN key at the evaluator.
  public var pinKeyID: String
  /// The provider's half of the key that evaluates the PIN, sealed.
  public var sealedHalf: [UInt8]
  /// The unlock share, sealed.
  public var sealedShare: [UInt8]
  /// The highest accepted sequence number; at most `Int64.max`.
  public var sequence: UInt64
  /// Whether the wallet has confirmed its registration.
  public var confirmed: Bool
  /// The time of the latest registration, in milliseconds since 1970.
  public var registeredAt: Int64
  /// The count of attempts at the PIN.
  public var attempts: AttemptState
  /// The newest attempt at the PIN; nil before the first.
  public var evaluation: StoredEvaluation?
  /// The prepared change of the PIN; nil if there is none.
  public var pending: PendingPinKey?
  /// The id of the last committed change; nil before the first.
  public var committedChange: String?
  /// When the PIN was proved last, in milliseconds since 1970; nil before the first time and after
  /// the verdict of a proofing, until it is proved again. A registration proves none.
  public var pinProvenAt: Int64?

  /// The ids of its PIN keys at the evaluator, which knows all of them as one wallet. It may have
  /// put the pending one into force already.
  var pinKeyIDs: [String] { [pinKeyID] + (pending.map { [$0.pinKeyID] } ?? []) }

  public init(
    id: String, registration: String, hardwareKey: [UInt8], hardwareKeyHash: [UInt8],
    sealingKey: String, sealedPinKey: [UInt8], pinKeyID: String, sealedHalf: [UInt8],
    sealedShare: [UInt8], sequence: UInt64, confirmed: Bool, registeredAt: Int64,
    attempts: AttemptState, evaluation: StoredEvaluation? = nil, pending: PendingPinKey? = nil,
    committedChange: String? = nil, pinProvenAt: Int64? = nil
  ) {
    self.id = id
    self.registration = registration
    self.hardwareKey = hardwareKey
    self.hardwareKeyHash = hardwareKeyHash
    self.sealingKey = sealingKey
    self.sealedPinKey = sealedPinKey
    self.pinKeyID = pinKeyID
    self.sealedHalf = sealedHalf
    self.sealedShare = sealedShare
    self.sequence = sequence
    self.confirmed = confirmed
    self.registeredAt = registeredAt
    self.attempts = attempts
    self.evaluation = evaluation
    self.pending = pending
    self.committedChange = committedChange
    self.pinProvenAt = pinProvenAt
  }
}
