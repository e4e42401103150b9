internal import WalletJOSE
public import WalletProtocol

/// A card whose signature and disclosures were checked.
public struct VerifiedCredential: Sendable, Equatable, RedactedDescription {
  /// The card as received.
  public let credential: Credential
  /// What the issuer states about the card itself.
  public let terms: CredentialTerms
  /// All members of the payload with all disclosures, an object: the claims about the subject, and
  /// those about the card that `terms` has.
  public let claims: JSONValue

  let tree: ClaimNode

  init(credential: Credential, terms: CredentialTerms, tree: ClaimNode) {
    self.credential = credential
    self.terms = terms
    self.tree = tree
    claims = tree.value
  }

  /// The ways to all parts of `claims` that the holder may withhold, in the order of names and
  /// elements. Names and indices only.
  public var disclosable: [ClaimsPath] {
    var ways: [[ClaimsPath.Component]] = []
    tree.appendDisclosable(to: &ways)
    return ways.compactMap { try? ClaimsPath($0) }
  }

  /// Returns the card with the disclosures of what `paths` select and no others: those of the
  /// selected parts, of all that lies in them, and of all that they lie in, because a part can be
  /// shown only inside of these. It ends with a tilde, as the text that a key-binding JWT covers.
  func presented(disclosing paths: some Sequence<ClaimsPath>) throws(ClaimsPathError) -> String {
    var chosen: Set<Int> = []
    for path in paths {
      for trail in try path.trails(in: tree) {
        for part in trail { if let disclosure = part.disclosure { chosen.insert(disclosure) } }
        if let selected = trail.last { chosen.formUnion(selected.allDisclosures) }
      }
    }
    let disclosures = credential.disclosures.enumerated().filter { chosen.contains($0.offset) }
    return ([credential.jws.text] + disclosures.map(\.element.text)).joined(separator: "~") + "~"
  }

  /// Presents the card with what `paths` select and no other part that can be withheld, signed by
  /// the holder (RFC 9901 section 4.3).
  ///
  /// A selected part is shown whole. Throws `ClaimsPathError` if a path selects nothing: a card that
  /// lacks a wanted claim is not sent. Errors of the signer pass through.
  ///
  /// - Parameters:
  ///   - paths: none for a card with nothing disclosed.
  ///   - audience: the verifier, as it calls itself.
  ///   - nonce: the verifier's fresh value.
  ///   - now: seconds since 1970.
  ///   - signer: signs with `terms.holderKey`; only its algorithm is checked here.
  public func present(
    disclosing paths: some Sequence<ClaimsPath>, audience: String, nonce: String, now: Int64,
    signer: some Signer
  ) throws -> String {
    guard let holderKey = terms.holderKey else { throw CredentialError.holderKeyMissing }
    guard !audience.isEmpty else { throw CredentialError.audienceRefused }
    guard !nonce.isEmpty else { throw CredentialError.nonceRefused }
    guard signer.algorithm == holderKey.algorithm else { throw CredentialError.signerRefused }
    let presented = try presented(disclosing: paths)
    let content: [String: JSONValue] = [
      "iat": .integer(now), "aud": .string(audience), "nonce": .string(nonce),
      "sd_hash": .string(Base64URL.encode(JOSEDigest.sha256(presented.utf8))),
    ]
    let keyBinding = try CompactJWS.sign(
      JSONValue.object(content).encoded, type: Credential.keyBindingHeaderType,
      signer: UnnamedSigner(signer: signer))
    return presented + keyBinding
  }
}

/// Signs without a key id: the card or its chain names the key, and an id of our own would tell the
/// verifier more.
struct UnnamedSigner<Base: Signer>: Signer {
  let signer: Base

  var algorithm: SignatureAlgorithm { signer.algorithm }
  var keyID: String? { nil }

  func sign(_ message: [UInt8]) throws -> [UInt8] { try signer.sign(message) }
}
