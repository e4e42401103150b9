/// What an issuer states in an SD-JWT VC.
public struct SDJWTContent: Sendable, Equatable {
  /// The issuer (`iss`).
  public var issuer: String
  /// The type of the credential (`vct`).
  public var type: String
  /// Seconds since 1970 (`iat`).
  public var issuedAt: Int64
  /// Seconds since 1970 (`exp`), after `issuedAt`.
  public var expires: Int64
  /// The key that presentations must be signed with (`cnf`).
  public var holderKey: SubjectPublicKey
  /// The claims about the subject.
  public var claims: [String: JSONValue]
  /// The names among `claims` that the holder may withhold.
  public var disclosable: Set<String>

  public init(
    issuer: String, type: String, issuedAt: Int64, expires: Int64, holderKey: SubjectPublicKey,
    claims: [String: JSONValue], disclosable: Set<String>
  ) {
    self.issuer = issuer
    self.type = type
    self.issuedAt = issuedAt
    self.expires = expires
    self.holderKey = holderKey
    self.claims = claims
    self.disclosable = disclosable
  }
}

extension SDJWT {
  /// Issues an SD-JWT VC with all its disclosures, for the holder.
  ///
  /// - Parameters:
  ///   - signer: the issuer's key; needs a key id.
  ///   - salt: 16 fresh random bytes at each call, from a cryptographic source.
  ///   - sha256: SHA-256.
  public static func issue(
    _ content: SDJWTContent, signer: some Signer, salt: () throws -> [UInt8],
    sha256: ([UInt8]) -> [UInt8]
  ) throws -> String {
    guard let keyID = signer.keyID else { throw SDJWTError.signerRefused }
    guard content.disclosable.allSatisfy({ content.claims[$0] != nil }) else {
      throw SDJWTError.claimUnknown
    }
    guard content.claims.allSatisfy(SDJWTNames.allow) else { throw SDJWTError.nameReserved }
    // Numbers and depths that only the JSON of other parties may have.
    guard (try? JSONValue(parsing: JSONValue.object(content.claims).encoded)) != nil else {
      throw SDJWTError.contentMalformed
    }
    var payload: [String: JSONValue] = [
      "iss": .string(content.issuer), "vct": .string(content.type),
      "iat": .integer(content.issuedAt), "exp": .integer(content.expires),
      "cnf": .object(["jwk": content.holderKey.jwk]), "_sd_alg": .string(digestAlgorithm),
    ]
    // Throws if `verifyIssued` would refuse this payload: such a credential is not issued.
    _ = try SDJWTPayload(payload)

    var salts: Set<[UInt8]> = []
    var disclosures: [SDJWTDisclosure] = []
    for (name, value) in content.claims.sorted(by: { $0.key < $1.key }) {
      guard content.disclosable.contains(name) else {
        payload[name] = value
        continue
      }
      let salt = try salt()
      guard salt.count == SDJWTDisclosure.saltLength, salts.insert(salt).inserted else {
        throw SDJWTError.saltRefused
      }
      disclosures.append(SDJWTDisclosure(salt: salt, name: name, value: value))
    }
    if !disclosures.isEmpty {
      // Sorted, so that their order reveals nothing of the claims (RFC 9901 section 4.2.4.1).
      let digests = disclosures.map { $0.digest(sha256) }.sorted()
      payload[SDJWTNames.digests] = .array(digests.map(JSONValue.string))
    }
    let signed = try SDJWTSignature.sign(
      payload, type: headerType, keyID: keyID, signer: signer)
    let compact = ([signed] + disclosures.map(\.text)).joined(separator: "~") + "~"
    _ = try SDJWT(parsing: compact)
    return compact
  }
}
