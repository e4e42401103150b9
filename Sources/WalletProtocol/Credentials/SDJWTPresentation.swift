/// A credential whose signature, times and disclosures were checked.
public struct VerifiedSDJWT: Sendable, Equatable, RedactedDescription {
  private let credential: SDJWTSignature
  private let payload: SDJWTPayload
  private let disclosures: [SDJWTDisclosure]

  /// The claims about the subject, including the disclosed ones.
  public let claims: [String: JSONValue]

  init(
    credential: SDJWTSignature, payload: SDJWTPayload, disclosures: [SDJWTDisclosure],
    claims: [String: JSONValue]
  ) {
    self.credential = credential
    self.payload = payload
    self.disclosures = disclosures
    self.claims = claims
  }

  public var issuer: String { payload.issuer }
  public var type: String { payload.type }
  /// Seconds since 1970.
  public var issuedAt: Int64 { payload.issuedAt }
  /// Seconds since 1970.
  public var expires: Int64 { payload.expires }
  /// The key that presentations must be signed with.
  public var holderKey: SubjectPublicKey { payload.holderKey }
  /// The sorted names of the disclosed claims, which the holder may withhold.
  public var disclosed: [String] { disclosures.map(\.name).sorted() }
  /// The number of digests without a disclosure; 0 in a newly issued credential, which has all of
  /// its disclosures.
  public var withheldCount: Int { payload.digests.count - disclosures.count }

  /// Decodes the claims as a type.
  public func claims<Claims: Decodable>(as type: Claims.Type) throws(WireError) -> Claims {
    try JSONValue.object(claims).decode(type)
  }

  /// Presents the credential with the disclosures of `names` and no others, signed by the holder
  /// (RFC 9901 section 4.3).
  ///
  /// - Parameters:
  ///   - names: among `disclosed`.
  ///   - now: seconds since 1970.
  ///   - signer: signs with `holderKey`; only its algorithm is checked here.
  public func present(
    disclosing names: Set<String>, audience: String, nonce: String, now: Int64,
    signer: some Signer, sha256: ([UInt8]) -> [UInt8]
  ) throws -> String {
    let chosen = disclosures.filter { names.contains($0.name) }
    guard chosen.count == names.count else { throw SDJWTError.claimUnknown }
    guard !audience.isEmpty else { throw SDJWTError.audienceRefused }
    guard !nonce.isEmpty else { throw SDJWTError.nonceRefused }
    guard signer.algorithm == holderKey.algorithm else { throw SDJWTError.signerRefused }
    let presented = SDJWT.presented(credential, chosen)
    let content: [String: JSONValue] = [
      "iat": .integer(now), "aud": .string(audience), "nonce": .string(nonce),
      "sd_hash": .string(Base64URL.encode(sha256(Array(presented.utf8)))),
    ]
    let compact =
      presented
      + (try SDJWTSignature.sign(
        content, type: SDJWT.keyBindingHeaderType, keyID: nil, signer: signer))
    guard compact.utf8.count <= SDJWT.maximumLength else { throw SDJWTError.malformed }
    return compact
  }
}
