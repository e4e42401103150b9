/// An SD-JWT VC in compact form (RFC 9901 section 4): the issuer's JWS, disclosures, and in a
/// presentation the holder's key-binding JWT, each after a tilde.
///
/// The format is as strict as `SignedMessage`: the algorithm must be that of the key, and the
/// header must have exactly the expected members. Repeated members and unknown structure are
/// refused. Parsing gives access to the key id only; claims are reached through `verifyIssued` and
/// `verifyPresentation`.
public struct SDJWT: Sendable, Equatable, RedactedDescription {
  /// The maximum length of a text, in bytes.
  public static let maximumLength = 64 * 1024
  /// The `typ` of a credential (draft-ietf-oauth-sd-jwt-vc).
  public static let headerType = "dc+sd-jwt"
  /// The `typ` of a key-binding JWT (RFC 9901 section 4.3).
  public static let keyBindingHeaderType = "kb+jwt"
  /// The only supported `_sd_alg`.
  public static let digestAlgorithm = "sha-256"

  private static let maximumDisclosures = 256

  /// The compact form, as it travels.
  public let compact: String
  /// The `kid` of the header, an unverified hint for choosing the issuer's verifier.
  public let keyID: String

  let credential: SDJWTSignature
  let disclosures: [SDJWTDisclosure]
  let keyBinding: SDJWTSignature?

  /// Splits and decodes `compact` without trusting any of it.
  public init(parsing compact: String) throws(SDJWTError) {
    guard compact.utf8.count <= Self.maximumLength else { throw .malformed }
    let parts = compact.utf8.split(separator: UInt8(ascii: "~"), omittingEmptySubsequences: false)
      .map { String(Substring($0)) }
    // Without a tilde it is a plain JWS, not an SD-JWT.
    guard let first = parts.first, let last = parts.last, parts.count >= 2,
      parts.count - 2 <= Self.maximumDisclosures
    else { throw .malformed }
    self.compact = compact
    credential = try SDJWTSignature(parsing: first, members: ["alg", "typ", "kid"])
    guard let keyID = credential.header["kid"] else { throw .headerRefused }
    self.keyID = keyID
    var disclosures: [SDJWTDisclosure] = []
    for part in parts.dropFirst().dropLast() {
      disclosures.append(try SDJWTDisclosure(parsing: part))
    }
    self.disclosures = disclosures
    keyBinding = last.isEmpty ? nil : try SDJWTSignature(parsing: last, members: ["alg", "typ"])
  }

  /// Returns what the key-binding JWT covers: the credential and the disclosures, up to the last
  /// tilde.
  static func presented(
    _ credential: SDJWTSignature, _ disclosures: [SDJWTDisclosure]
  ) -> String {
    ([credential.text] + disclosures.map(\.text)).joined(separator: "~") + "~"
  }
}
