// The messages between a provider and its evaluator. None of them is secret towards either, but a
// request may contain a signature of the PIN key, so they travel over an authenticated and encrypted
// connection, or within one process.

/// A request of the provider.
public enum EvaluatorRequest: Codable, Equatable, Sendable {
  /// Makes a PIN key for a registration and evaluates the blinded PIN once. `request` is the
  /// wallet's `challenge` for `register`.
  case open(request: InstructionEnvelope)
  /// Counts an attempt and evaluates a blinded PIN. `request` is the wallet's `challenge`.
  case evaluate(request: InstructionEnvelope)
  /// Keeps the public half of a PIN key that was evaluated.
  case adopt(key: String, adoption: PinKeyAdoption)
  /// Begins the count anew, because the PIN was right. `message` is the inner message of the PIN
  /// instruction. If it names a new blinded PIN, a new PIN key is made and evaluated once.
  case prove(key: String, message: String)
  /// Puts an adopted PIN key in the place of the one that it was made for.
  case commit(key: String)
  /// Deletes a PIN key that was not committed.
  case cancel(key: String)
  /// Deletes the wallet with this PIN key for good.
  case delete(key: String)
}

/// The public half of a PIN key, with the signatures of the wallet's keys. So no provider can give a
/// key of its own to the evaluator, and for a change of the PIN not even together with somebody who
/// has the hardware key.
public struct PinKeyAdoption: Codable, Equatable, Sendable {
  /// The number of random bytes in a commitment.
  public static let openingLength = 32

  /// The outer compact JWS of `register` or `prepare_pin_change`, by the hardware key. Its claims
  /// have the commitment to the public key.
  public var signature: String
  /// The compact JWS of the inner message: of `register`, by the PIN key that is to be adopted; of
  /// `prepare_pin_change`, by the PIN key in force.
  public var message: String
  /// Base64url of the payload of `prepare_pin_change`, whose hash `message` has. It has the public
  /// key, and the proof by that key. Nil for a registration.
  public var payload: String?
  /// Base64url of the 32-byte Ed25519 key.
  public var publicKey: String
  /// Base64url of the 32 random bytes of the commitment.
  public var opening: String

  public init(
    signature: String, message: String, payload: String? = nil, publicKey: String, opening: String
  ) {
    self.signature = signature
    self.message = message
    self.payload = payload
    self.publicKey = publicKey
    self.opening = opening
  }

  enum CodingKeys: String, CodingKey {
    case signature, message, payload, opening
    case publicKey = "public_key"
  }
}

/// An answer of the evaluator.
public enum EvaluatorAnswer: Codable, Equatable, Sendable {
  /// `open` and `evaluate`: the evaluation, and the count after it.
  case evaluated(evaluation: HalfEvaluation, standing: AttemptStanding)
  /// `evaluate`: no attempt is allowed.
  case blocked(standing: AttemptStanding)
  /// `prove`: the count begins anew. `next` is the evaluation of the new PIN, if one was named.
  case proven(standing: AttemptStanding, next: HalfEvaluation?)
  /// `adopt`: the public half is kept, also if it was before. `receipt` is a compact JWS of
  /// `EvaluatorReceipt`, for the wallet.
  case adopted(receipt: String)
  /// `commit`, `cancel`, `delete`: done, also if it was done before.
  case done
  /// `evaluate`: the sequence number may not follow `current`.
  case sequenceRefused(current: UInt64)
  /// There is no such PIN key.
  case unknownKey
  /// The request does not hold: a wrong signature, another evaluation, a proof that is too late.
  case refused

  enum CodingKeys: String, CodingKey {
    case evaluated, blocked, proven, adopted, done, refused
    case sequenceRefused = "sequence_refused"
    case unknownKey = "unknown_key"
  }
}

/// How a counter of attempts at the PIN stands.
public struct AttemptStanding: Codable, Equatable, Sendable {
  /// The number of attempts since the last right PIN.
  public var attempts: UInt64
  /// How long no further attempt is allowed; nil without a block.
  public var blockedMilliseconds: UInt64?
  public var isBlockedPermanently: Bool

  public init(attempts: UInt64, blockedMilliseconds: UInt64?, isBlockedPermanently: Bool) {
    self.attempts = attempts
    self.blockedMilliseconds = blockedMilliseconds
    self.isBlockedPermanently = isBlockedPermanently
  }

  enum CodingKeys: String, CodingKey {
    case attempts
    case blockedMilliseconds = "blocked_for_ms"
    case isBlockedPermanently = "blocked_permanently"
  }
}

/// What an evaluator that runs alone says of itself.
public struct EvaluatorDescription: Codable, Equatable, Sendable {
  /// `wireVersion`.
  public var version: Int
  /// The id of the evaluator, which the provider's database names.
  public var id: String
  /// The Ed25519 keys that sign its grants, the current one first.
  public var grantKeys: [PublishedKey]

  public init(id: String, grantKeys: [PublishedKey]) {
    version = wireVersion
    self.id = id
    self.grantKeys = grantKeys
  }

  enum CodingKeys: String, CodingKey {
    case version, id
    case grantKeys = "grant_keys"
  }
}

/// The other half of the PIN: multiplies by its half of a key, and counts attempts.
public protocol PinEvaluator: Sendable {
  /// The id of the evaluator, which the provider's database names.
  var id: String { get }
  /// The Ed25519 keys that sign its grants, the current one first.
  var grantKeys: [PublishedKey] { get }

  /// Answers a request. The count of an attempt is on disk before the answer is returned. The same
  /// request gets the same answer and counts once.
  ///
  /// - Throws: an error if the evaluator cannot be reached or failed.
  func answer(_ request: EvaluatorRequest) async throws -> EvaluatorAnswer
}
