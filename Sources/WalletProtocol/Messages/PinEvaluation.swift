// A PIN is turned into its key by a function that wallet, evaluator and provider compute together:
// the VOPRF of RFC 9497 (ristretto255-SHA512), with a key in two halves. The wallet blinds the PIN.
// The evaluator multiplies by its half and the provider by its own, and each proves that it used
// the half that belongs to this PIN key. Neither learns the PIN, and each counts the evaluation as
// an attempt.

/// An evaluation of a blinded PIN, in the outcome of `challenge` and `begin_pin_change`.
public struct PinEvaluation: Codable, Equatable, Sendable {
  /// The evaluator's part.
  public var evaluator: HalfEvaluation
  /// Base64url of `evaluator.element`, multiplied by the provider's half of the key.
  public var element: String
  /// Base64url of the provider's proof, for its public value, that it did so (RFC 9497 section 2.2).
  public var proof: String
  /// Base64url of the public value of the provider's half. Only for a new PIN key.
  public var publicValue: String?

  public init(
    evaluator: HalfEvaluation, element: String, proof: String, publicValue: String? = nil
  ) {
    self.evaluator = evaluator
    self.element = element
    self.proof = proof
    self.publicValue = publicValue
  }

  enum CodingKeys: String, CodingKey {
    case evaluator, element, proof
    case publicValue = "public_value"
  }
}

/// What the evaluator contributes to an evaluation.
public struct HalfEvaluation: Codable, Equatable, Sendable {
  /// The id of the PIN key, made by the evaluator.
  public var key: String
  /// The id of this evaluation.
  public var evaluation: String
  /// Base64url of the blinded element, multiplied by the evaluator's half of the key.
  public var element: String
  /// Base64url of the proof, for the public value of the grant (RFC 9497 section 2.2).
  public var proof: String
  /// Compact JWS of `EvaluatorGrant`. Only for a new PIN key.
  public var grant: String?
  /// The same statement, signed by each other key of the evaluator: a wallet accepts a new grant key
  /// only if the one that it has kept vouches for it. Only for the new PIN key of a change.
  public var otherGrants: [String]?

  public init(
    key: String, evaluation: String, element: String, proof: String, grant: String? = nil,
    otherGrants: [String]? = nil
  ) {
    self.key = key
    self.evaluation = evaluation
    self.element = element
    self.proof = proof
    self.grant = grant
    self.otherGrants = otherGrants
  }

  enum CodingKeys: String, CodingKey {
    case key, evaluation, element, proof, grant
    case otherGrants = "other_grants"
  }
}

/// The evaluator's statement of its half of a PIN key, signed (type `evaluatorGrant`) with a key
/// that the configuration names. The wallet keeps the public value and checks every later
/// evaluation against it.
public struct EvaluatorGrant: Codable, Equatable, Sendable {
  /// `wireVersion`.
  public var version: Int
  /// The id of the PIN key.
  public var key: String
  /// Base64url of the public value of the evaluator's half, a group element of 32 bytes.
  public var publicValue: String
  /// Base64url of the SHA-256 of the hardware key's SubjectPublicKeyInfo. The evaluator evaluates
  /// for this hardware key only.
  public var hardwareKeyHash: String
  /// The id of the PIN key in whose place this one comes, in a change of the PIN; nil in a
  /// registration. Without it a provider could lead a change into a registration of somebody who has
  /// had the hardware key.
  public var replaces: String?
  /// Base64url of the public half of the evaluator's current key, which signs the grant. Where other
  /// keys sign the grant too, they say by this which one comes after them; a provider could otherwise
  /// put a key of its own there.
  public var grantKey: String

  public init(
    key: String, publicValue: String, hardwareKeyHash: String, replaces: String? = nil,
    grantKey: String
  ) {
    version = wireVersion
    self.key = key
    self.publicValue = publicValue
    self.hardwareKeyHash = hardwareKeyHash
    self.replaces = replaces
    self.grantKey = grantKey
  }

  enum CodingKeys: String, CodingKey {
    case version, key, replaces
    case grantKey = "grant_key"
    case publicValue = "public_value"
    case hardwareKeyHash = "hardware_key_hash"
  }
}

/// The evaluator's statement that it has adopted a PIN key, signed (type `evaluatorReceipt`) as its
/// grant is. From then on it adopts no other key in the place of this one.
public struct EvaluatorReceipt: Codable, Equatable, Sendable {
  /// `wireVersion`.
  public var version: Int
  /// The id of the PIN key.
  public var key: String
  /// The commitment to the PIN public key, as in the claims that the hardware key signed.
  public var pinKeyCommitment: String

  public init(key: String, pinKeyCommitment: String) {
    version = wireVersion
    self.key = key
    self.pinKeyCommitment = pinKeyCommitment
  }

  enum CodingKeys: String, CodingKey {
    case version, key
    case pinKeyCommitment = "pin_key_commitment"
  }
}
