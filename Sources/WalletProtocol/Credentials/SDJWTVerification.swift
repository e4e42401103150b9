/// What a credential must be to be accepted.
public struct SDJWTExpectation: Sendable, Equatable {
  /// The issuer (`iss`).
  public var issuer: String
  /// The type of the credential (`vct`).
  public var type: String
  /// The time of the check, in seconds since 1970.
  public var now: Int64
  /// How far two clocks may differ, in seconds.
  public var skew: Int64

  public init(issuer: String, type: String, now: Int64, skew: Int64 = 60) {
    self.issuer = issuer
    self.type = type
    self.now = now
    self.skew = skew
  }

  /// The latest and the earliest time that the issuer's clock may show now.
  var latest: Int64 { saturating(now.addingReportingOverflow(skew), Int64.max) }
  var earliest: Int64 { saturating(now.subtractingReportingOverflow(skew), Int64.min) }
}

/// What a presentation must be to be accepted.
public struct KeyBindingExpectation: Sendable, Equatable {
  /// The verifier that asked (`aud`).
  public var audience: String
  /// The verifier's fresh value for this one request.
  public var nonce: String
  /// The maximum age of the signature, in seconds.
  public var maximumAge: Int64

  public init(audience: String, nonce: String, maximumAge: Int64 = 300) {
    self.audience = audience
    self.nonce = nonce
    self.maximumAge = maximumAge
  }
}

/// Returns the sum or difference, or `limit` on overflow.
private func saturating(_ result: (partialValue: Int64, overflow: Bool), _ limit: Int64) -> Int64 {
  result.overflow ? limit : result.partialValue
}

extension SDJWT {
  /// Checks a credential as issued, without key binding.
  public func verifyIssued(
    _ expected: SDJWTExpectation, verifier: any Verifier, sha256: ([UInt8]) -> [UInt8]
  ) throws(SDJWTError) -> VerifiedSDJWT {
    guard keyBinding == nil else { throw .keyBindingUnexpected }
    return try verifyCredential(expected, verifier: verifier, sha256: sha256)
  }

  /// Checks a presentation (RFC 9901 section 7.3): the credential and the holder's key binding.
  ///
  /// - Parameter holderVerifier: returns the verifier of the key that the credential is bound to,
  ///   or nil to refuse the key.
  public func verifyPresentation(
    _ expected: SDJWTExpectation, keyBinding binding: KeyBindingExpectation,
    verifier: any Verifier, holderVerifier: (SubjectPublicKey) -> (any Verifier)?,
    sha256: ([UInt8]) -> [UInt8]
  ) throws(SDJWTError) -> VerifiedSDJWT {
    guard let keyBinding else { throw .keyBindingMissing }
    let verified = try verifyCredential(expected, verifier: verifier, sha256: sha256)
    guard let holder = holderVerifier(verified.holderKey),
      holder.algorithm == verified.holderKey.algorithm
    else { throw .keyBindingInvalid }
    let content: [String: JSONValue]
    do {
      content = try keyBinding.content(type: Self.keyBindingHeaderType, verifier: holder)
    } catch .headerRefused {
      throw .headerRefused
    } catch .signatureInvalid {
      throw .keyBindingInvalid
    } catch {
      throw .keyBindingMalformed
    }
    // Exactly these four members, so that nothing that the holder signed stays unread.
    guard content.count == 4, let issuedAt = content["iat"]?.integer,
      let audience = content["aud"]?.string, let nonce = content["nonce"]?.string,
      let hash = content["sd_hash"]?.string
    else { throw .keyBindingMalformed }
    guard Self.same(audience, binding.audience) else { throw .audienceRefused }
    guard Self.same(nonce, binding.nonce) else { throw .nonceRefused }
    let presented = Self.presented(credential, disclosures)
    guard hash == Base64URL.encode(sha256(Array(presented.utf8))) else {
      throw .presentationChanged
    }
    let oldest = saturating(
      expected.earliest.subtractingReportingOverflow(binding.maximumAge), Int64.min)
    guard issuedAt <= expected.latest, issuedAt >= oldest else { throw .keyBindingStale }
    return verified
  }

  /// Verifies signature, type and disclosures of a credential that its holder accepted earlier.
  /// Time and issuer are not checked.
  public func verifyStored(
    type: String, verifier: some Verifier, sha256: ([UInt8]) -> [UInt8]
  ) throws(SDJWTError) -> VerifiedSDJWT {
    guard keyBinding == nil else { throw .keyBindingUnexpected }
    let payload = try SDJWTPayload(credential.content(type: Self.headerType, verifier: verifier))
    guard Self.same(payload.type, type) else { throw .typeRefused }
    return VerifiedSDJWT(
      credential: credential, payload: payload, disclosures: disclosures,
      claims: try reconstruct(payload, sha256))
  }

  private func verifyCredential(
    _ expected: SDJWTExpectation, verifier: any Verifier, sha256: ([UInt8]) -> [UInt8]
  ) throws(SDJWTError) -> VerifiedSDJWT {
    let payload = try SDJWTPayload(
      credential.content(type: Self.headerType, verifier: verifier))
    guard Self.same(payload.issuer, expected.issuer) else { throw .issuerRefused }
    guard Self.same(payload.type, expected.type) else { throw .typeRefused }
    guard payload.issuedAt <= expected.latest, payload.notBefore ?? 0 <= expected.latest else {
      throw .notYetValid
    }
    guard expected.earliest < payload.expires else { throw .expired }
    return VerifiedSDJWT(
      credential: credential, payload: payload, disclosures: disclosures,
      claims: try reconstruct(payload, sha256))
  }

  /// Returns the claims including the disclosed ones (RFC 9901 section 7.1).
  private func reconstruct(
    _ payload: SDJWTPayload, _ sha256: ([UInt8]) -> [UInt8]
  ) throws(SDJWTError) -> [String: JSONValue] {
    guard Set(disclosures.map(\.text)).count == disclosures.count else {
      throw .disclosureRepeated
    }
    var claims = payload.claims
    let digests = Set(payload.digests)
    for disclosure in disclosures {
      guard digests.contains(disclosure.digest(sha256)) else { throw .disclosureUnreferenced }
      guard SDJWTNames.allow(disclosure.name, disclosure.value) else { throw .nameReserved }
      guard claims.updateValue(disclosure.value, forKey: disclosure.name) == nil else {
        throw .claimRepeated
      }
    }
    return claims
  }

  /// Whether both are equal byte by byte. Swift's `==` also accepts strings that are only
  /// canonically equivalent.
  private static func same(_ first: String, _ second: String) -> Bool {
    first.utf8.elementsEqual(second.utf8)
  }
}
