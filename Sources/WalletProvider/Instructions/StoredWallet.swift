/// A wallet as it lies in the store.
public struct StoredWallet: Sendable, Equatable {
  /// The key of a new PIN that was prepared and not committed; until then both keys are accepted.
  public struct PendingPinKey: Sendable, Equatable {
    /// The id of the change, chosen by the wallet.
    public var change: String
    /// The PIN public key, sealed for this change.
    public var sealedKey: [UInt8]

    public init(change: String, sealedKey: [UInt8]) {
      self.change = change
      self.sealedKey = sealedKey
    }
  }

  /// Random, given by the provider.
  public var id: String
  /// The registration id that the wallet chose.
  public var registration: String
  /// The hardware key's SubjectPublicKeyInfo.
  public var hardwareKey: [UInt8]
  /// SHA-256 of `hardwareKey`; unique.
  public var hardwareKeyHash: [UInt8]
  /// The id of the key that the sealed members are sealed with, also that of `pending`.
  public var sealingKey: String
  /// The PIN public key, sealed: it would verify guesses.
  public var sealedPinKey: [UInt8]
  /// The unlock share, sealed.
  public var sealedShare: [UInt8]
  /// The highest sequence number accepted so far; at most `Int64.max`.
  public var sequence: UInt64
  /// Whether the wallet's own confirmation has come.
  public var confirmed: Bool
  /// Milliseconds since 1970 of the latest registration.
  public var registeredAt: Int64
  /// What is remembered of wrong PINs.
  public var attempts: AttemptState
  /// A change of the PIN that was prepared; nil for none.
  public var pending: PendingPinKey?
  /// The id of the change that was committed last; nil before the first.
  public var committedChange: String?

  public init(
    id: String, registration: String, hardwareKey: [UInt8], hardwareKeyHash: [UInt8],
    sealingKey: String, sealedPinKey: [UInt8], sealedShare: [UInt8], sequence: UInt64,
    confirmed: Bool, registeredAt: Int64, attempts: AttemptState, pending: PendingPinKey? = nil,
    committedChange: String? = nil
  ) {
    self.id = id
    self.registration = registration
    self.hardwareKey = hardwareKey
    self.hardwareKeyHash = hardwareKeyHash
    self.sealingKey = sealingKey
    self.sealedPinKey = sealedPinKey
    self.sealedShare = sealedShare
    self.sequence = sequence
    self.confirmed = confirmed
    self.registeredAt = registeredAt
    self.attempts = attempts
    self.pending = pending
    self.committedChange = committedChange
  }
}
