internal import WalletJOSE
public import WalletProtocol

/// An SD-JWT VC as an issuer gives it (RFC 9901 section 4): the issuer's JWS and its disclosures,
/// without key binding. Decoded without trusting any of it; claims are reached through `verify`.
///
/// Known members are checked and unknown ones ignored.
public struct Credential: Sendable, Equatable, RedactedDescription {
  /// The `typ` of a card (draft-ietf-oauth-sd-jwt-vc).
  public static let headerType = "dc+sd-jwt"
  /// The `typ` of a key-binding JWT (RFC 9901 section 4.3).
  public static let keyBindingHeaderType = "kb+jwt"
  /// The only supported `_sd_alg`.
  static let digestAlgorithm = "sha-256"

  /// The maximum length of a text, in bytes.
  public static let maximumLength = 256 * 1024
  /// The maximum number of disclosures.
  public static let maximumDisclosures = 512
  /// The maximum depth of nesting of the claims, counted through disclosures.
  public static let maximumDepth = 8

  /// The compact form, as it travels.
  public let text: String
  /// The certificates in DER, the signer's first; empty if there is none. They are as received:
  /// whether they are certificates that may sign this card is judged elsewhere.
  public var chain: [[UInt8]] { jws.header.chain }
  /// `kid`, an unverified hint.
  public var keyID: String? { jws.header.keyID }

  let jws: CompactJWS
  let disclosures: [Disclosure]

  /// Splits and decodes `text`.
  public init(parsing text: String) throws(CredentialError) {
    guard text.utf8.count <= Self.maximumLength else { throw .malformed }
    let parts = text.utf8.split(separator: UInt8(ascii: "~"), omittingEmptySubsequences: false)
      .map { String(Substring($0)) }
    // Without a tilde it is a plain JWS, not an SD-JWT.
    guard let first = parts.first, let last = parts.last, parts.count >= 2,
      parts.count - 2 <= Self.maximumDisclosures
    else { throw .malformed }
    guard last.isEmpty else { throw .keyBindingUnexpected }
    do { jws = try CompactJWS(parsing: first, maximumLength: Self.maximumLength) } catch {
      throw .issuerJWSRefused(error)
    }
    guard jws.header.algorithm == SignatureAlgorithm.es256.rawValue else {
      throw .issuerJWSRefused(.algorithmRefused)
    }
    var disclosures: [Disclosure] = []
    for part in parts.dropFirst().dropLast() { disclosures.append(try Disclosure(parsing: part)) }
    self.text = text
    self.disclosures = disclosures
  }

  /// Checks `typ` and signature, puts the disclosures into the payload and reads it. Times are not
  /// checked, see `CredentialTerms.validity`.
  ///
  /// A disclosure that is missing is not noticed, because its digest may be a decoy.
  ///
  /// - Parameter verifier: of the issuer's key, which is the first certificate's.
  public func verify(by verifier: some Verifier) throws(CredentialError) -> VerifiedCredential {
    do { try jws.verify(type: Self.headerType, by: verifier) } catch {
      throw .issuerJWSRefused(error)
    }
    return try reopened()
  }

  /// Reads a card whose signature this wallet has checked when it took it, and which it has kept
  /// sealed since, or that was made just now. Not for a card from anywhere else.
  public func reopened() throws(CredentialError) -> VerifiedCredential {
    guard let payload = (try? JSONValue(parsing: jws.payload, profile: .foreign))?.object else {
      throw .contentMalformed
    }
    let claims = try ClaimReconstruction.claims(payload, disclosures)
    let terms = try CredentialTerms(claims.value.object ?? [:], hasChain: !chain.isEmpty)
    return VerifiedCredential(credential: self, terms: terms, tree: claims)
  }
}
