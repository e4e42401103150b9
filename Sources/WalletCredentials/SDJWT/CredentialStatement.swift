public import WalletProtocol

/// What an issuer states in a card, an SD-JWT VC (draft-ietf-oauth-sd-jwt-vc-13 section 3.2.2).
public struct CredentialStatement: Sendable, Equatable, RedactedDescription {
  /// The type of the card (`vct`).
  public var type: String
  /// The issuer (`iss`), an https URL that its certificate names; nil to leave it out. The subject of
  /// the certificate is the issuer in any case.
  public var issuer: String?
  /// Seconds since 1970 (`iat`).
  public var issuedAt: Int64
  /// Seconds since 1970 (`exp`), after `issuedAt`.
  public var expires: Int64
  /// The key that presentations must be signed with (`cnf`).
  public var holderKey: SubjectPublicKey
  /// The entry of a status list that says whether the card was withdrawn (`status`).
  public var status: CredentialStatusSource
  /// The claims about the holder.
  public var claims: [String: JSONValue]
  /// The parts of `claims` that the holder may withhold, each by itself.
  public var disclosable: Set<ClaimsPath>

  public init(
    type: String, issuer: String?, issuedAt: Int64, expires: Int64, holderKey: SubjectPublicKey,
    status: CredentialStatusSource, claims: [String: JSONValue], disclosable: Set<ClaimsPath>
  ) {
    self.type = type
    self.issuer = issuer
    self.issuedAt = issuedAt
    self.expires = expires
    self.holderKey = holderKey
    self.status = status
    self.claims = claims
    self.disclosable = disclosable
  }

  /// The members of the payload that are not claims about the holder.
  var terms: [String: JSONValue] {
    var members: [String: JSONValue] = [
      "vct": .string(type), "iat": .integer(issuedAt), "exp": .integer(expires),
      "cnf": .object(["jwk": holderKey.jwk]), "_sd_alg": .string(Credential.digestAlgorithm),
    ]
    if let issuer { members["iss"] = .string(issuer) }
    if case .list(let index, let uri) = status {
      members["status"] = .object([
        "status_list": .object(["idx": .integer(index), "uri": .string(uri)])
      ])
    }
    return members
  }
}
