public import WalletAttempts
import WalletProtocol

/// A wallet as the evaluator knows it. The evaluator knows neither the wallet's id nor its owner.
public struct EvaluatedWallet: Sendable, Equatable, Codable {
  /// Random, for this row.
  public var id: String
  /// The provider that the wallet's messages name as their audience.
  var audience: String
  /// The hardware key's SubjectPublicKeyInfo. Only requests that it signed are evaluated.
  @StoredBytes var hardwareKey: [UInt8]
  /// The highest accepted sequence number of a request.
  var sequence: UInt64
  /// The attempts with all keys of the wallet.
  public var attempts: AttemptState
  /// The PIN key in force.
  public var current: EvaluatedKey
  /// The key of a new PIN that was begun and not committed.
  public var pending: EvaluatedKey?
  /// The newest attempt; nil before the first.
  var newest: Evaluation?
  /// When the row is deleted unless the PIN key has been adopted by then, in milliseconds since
  /// 1970; nil once it is.
  public var expiresAt: Int64?
  /// Rises with every change of the row, from 1.
  public var version: Int64 = 1
  /// That of the store when the row was written; see `EvaluatorTransaction.generation`.
  public var generation: String

  /// The key with this id; nil if it is neither of both.
  func key(_ id: String) -> EvaluatedKey? {
    if current.id == id { return current }
    return pending?.id == id ? pending : nil
  }

  /// Begins in the last round, because this may not be the newest state of the wallet. An attempt
  /// that was open in it is not answered any more: its answer may have come before.
  mutating func beginInLastRound(policy: AttemptPolicy, generation: String) {
    attempts.beginInLastRound(policy: policy)
    newest = nil
    self.generation = generation
  }

  /// Puts the pending key into force, if it has this id and was adopted.
  mutating func promote(_ id: String) {
    guard let pending, pending.id == id, pending.publicKey != nil else { return }
    current = pending
    self.pending = nil
  }
}

/// The evaluator's half of a PIN key.
public struct EvaluatedKey: Sendable, Equatable, Codable {
  /// Random.
  public var id: String
  /// The secret scalar, 32 bytes.
  @StoredBytes var half: [UInt8]
  /// When it was made, in milliseconds since 1970. It can be adopted for `Evaluator.adoptionLife`.
  var openedAt: Int64
  /// The id of the one evaluation that was made before the PIN key was adopted.
  var opening: String
  /// The blinded PIN of that evaluation, 32 bytes.
  @StoredBytes var blinded: [UInt8]
  /// The id of the key that signed its grant, which signs its receipt too.
  var grantKey: String
  /// The PIN public key, 32 bytes; nil until it is adopted. It verifies no guess without the
  /// provider's half.
  @OptionalStoredBytes var publicKey: [UInt8]?
}

/// An evaluation that was counted as an attempt.
struct Evaluation: Sendable, Equatable, Codable {
  var id: String
  /// The id of the PIN key.
  var key: String
  /// The blinded PIN, 32 bytes.
  @StoredBytes var blinded: [UInt8]
  /// SHA-256 of the request's compact JWS, by which a repetition is recognised.
  @StoredBytes var request: [UInt8]
  /// The answer to the request.
  var answer: EvaluatorAnswer
  /// The proof of the right PIN, and the answer to it.
  var proof: Proof?

  struct Proof: Sendable, Equatable, Codable {
    /// SHA-256 of the proof's compact JWS.
    @StoredBytes var message: [UInt8]
    var answer: EvaluatorAnswer
  }
}
