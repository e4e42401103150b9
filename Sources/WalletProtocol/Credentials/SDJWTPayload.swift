/// The decoded payload of a credential: the registered claims and the caller's own.
struct SDJWTPayload: Sendable, Equatable {
  let issuer: String
  let type: String
  let issuedAt: Int64
  let notBefore: Int64?
  let expires: Int64
  let holderKey: SubjectPublicKey
  /// The digests in `_sd`.
  let digests: [String]
  /// The claims that are not selectively disclosable.
  let claims: [String: JSONValue]

  private static let maximumDigests = 256
  /// The times that are accepted, until the end of the year 9999. Later times are mistakes, and
  /// sums of accepted times cannot overflow.
  private static let times: ClosedRange<Int64> = 0...253_402_300_799

  init(_ content: [String: JSONValue]) throws(SDJWTError) {
    // A `status` is refused, because ignoring it would mean ignoring a revocation.
    guard let issuer = content["iss"]?.string, !issuer.isEmpty,
      let type = content["vct"]?.string, !type.isEmpty,
      let issuedAt = Self.time(content["iat"]), let expires = Self.time(content["exp"]),
      issuedAt < expires,
      // If `_sd_alg` is absent, it is SHA-256 (RFC 9901 section 4.1.1).
      content["_sd_alg"] ?? .string(SDJWT.digestAlgorithm) == .string(SDJWT.digestAlgorithm),
      content["status"] == nil,
      let confirmation = content["cnf"]?.object, confirmation.count == 1,
      let holderKey = confirmation["jwk"].flatMap({ try? SubjectPublicKey(jwk: $0) })
    else { throw .contentMalformed }
    if let notBefore = content["nbf"] {
      guard let time = Self.time(notBefore) else { throw .contentMalformed }
      self.notBefore = time
    } else {
      notBefore = nil
    }
    self.issuer = issuer
    self.type = type
    self.issuedAt = issuedAt
    self.expires = expires
    self.holderKey = holderKey
    digests = try Self.digests(content[SDJWTNames.digests])
    let own = content.filter {
      !SDJWTNames.registered.contains($0.key) && $0.key != SDJWTNames.digests
    }
    guard own.allSatisfy(SDJWTNames.allow) else { throw .nameReserved }
    claims = own
  }

  private static func time(_ value: JSONValue?) -> Int64? {
    guard let time = value?.integer, times.contains(time) else { return nil }
    return time
  }

  private static func digests(_ value: JSONValue?) throws(SDJWTError) -> [String] {
    guard let value else { return [] }
    guard let entries = value.array, entries.count <= maximumDigests else {
      throw .contentMalformed
    }
    var digests: [String] = []
    for entry in entries {
      guard let text = entry.string, Base64URL.decode(text)?.count == 32 else {
        throw .contentMalformed
      }
      digests.append(text)
    }
    guard Set(digests).count == digests.count else { throw .digestRepeated }
    return digests
  }
}
