internal import WalletJOSE
public import WalletProtocol

extension Credential {
  /// The length of a salt in bytes (RFC 9901 section 9.3 recommends 128 bits).
  public static let saltLength = 16

  /// Issues a card with all its disclosures, for the holder.
  ///
  /// The card is read back as a wallet reads it, so that nothing is issued that a wallet refuses.
  /// Errors of the signer and of `salt` pass through.
  ///
  /// - Parameters:
  ///   - chain: the certificates in DER, the signer's first and without the anchor.
  ///   - signer: of the first certificate's key.
  ///   - salt: `saltLength` fresh random bytes at each call, from a cryptographic source.
  public static func issue(
    _ statement: CredentialStatement, chain: [[UInt8]], signer: some Signer,
    salt: () throws -> [UInt8]
  ) throws -> String {
    let terms = statement.terms
    guard statement.claims.keys.allSatisfy({ terms[$0] == nil }),
      statement.issuedAt < statement.expires
    else { throw CredentialError.contentMalformed }
    let (claims, disclosures, hidden) = try withoutActuallyEscaping(salt) { salt in
      var issuance = CredentialIssuance(disclosable: statement.disclosable, salt: salt)
      let claims = try issuance.members(statement.claims, at: [])
      return (claims, issuance.disclosures, issuance.hidden)
    }
    // A path to nothing would leave a part visible that was meant to be hidden.
    guard hidden == statement.disclosable else { throw CredentialError.contentMalformed }
    let signed = try CompactJWS.sign(
      JSONValue.object(claims.merging(terms) { claim, _ in claim }).encoded, type: headerType,
      chain: chain, signer: UnnamedSigner(signer: signer))
    let text = ([signed] + disclosures).joined(separator: "~") + "~"
    try check(text, states: statement)
    return text
  }

  /// Throws if the card does not state what it should. The signature was made just now.
  private static func check(_ text: String, states statement: CredentialStatement) throws {
    let read = try Credential(parsing: text).reopened()
    let claims = (read.claims.object ?? [:]).filter { statement.claims[$0.key] != nil }
    guard claims == statement.claims, read.terms.type == statement.type,
      read.terms.holderKey == statement.holderKey, read.terms.status == statement.status,
      read.terms.statedIssuer == statement.issuer
    else { throw CredentialError.contentMalformed }
  }
}

/// Puts digests in place of what the holder may withhold (RFC 9901 sections 4.2.4.1 and 4.2.4.2).
private struct CredentialIssuance {
  typealias Way = [ClaimsPath.Component]

  let disclosable: Set<ClaimsPath>
  let salt: () throws -> [UInt8]
  private(set) var disclosures: [String] = []
  private(set) var hidden: Set<ClaimsPath> = []
  private var salts: Set<[UInt8]> = []

  init(disclosable: Set<ClaimsPath>, salt: @escaping () throws -> [UInt8]) {
    self.disclosable = disclosable
    self.salt = salt
  }

  mutating func members(
    _ members: [String: JSONValue], at way: Way
  ) throws -> [String: JSONValue] {
    var visible: [String: JSONValue] = [:]
    var digests: [String] = []
    for (name, value) in members.sorted(by: { $0.key < $1.key }) {
      guard name != "_sd", name != "..." else { throw CredentialError.contentMalformed }
      let here = way + [.name(name)]
      let inner = try part(value, at: here)
      if let digest = try digest(of: [.string(name), inner], at: here) {
        digests.append(digest)
      } else {
        visible[name] = inner
      }
    }
    // Sorted, so that their order reveals nothing of the claims.
    if !digests.isEmpty { visible["_sd"] = .array(digests.sorted().map(JSONValue.string)) }
    return visible
  }

  private mutating func part(_ value: JSONValue, at way: Way) throws -> JSONValue {
    switch value {
    case .object(let object): return .object(try members(object, at: way))
    case .array(let values):
      var elements: [JSONValue] = []
      for (index, value) in values.enumerated() {
        let here = way + [.element(index)]
        let inner = try part(value, at: here)
        let digest = try digest(of: [inner], at: here)
        elements.append(digest.map { .object(["...": .string($0)]) } ?? inner)
      }
      return .array(elements)
    default: return value
    }
  }

  /// The digest of a new disclosure; nil if the holder may not withhold the part.
  private mutating func digest(of content: [JSONValue], at way: Way) throws -> String? {
    let path = try ClaimsPath(way)
    guard disclosable.contains(path) else { return nil }
    let salt = try salt()
    guard salt.count == Credential.saltLength, salts.insert(salt).inserted else {
      throw CredentialError.saltRefused
    }
    let text = Base64URL.encode(
      JSONValue.array([.string(Base64URL.encode(salt))] + content).encoded)
    disclosures.append(text)
    hidden.insert(path)
    return Base64URL.encode(JOSEDigest.sha256(text.utf8))
  }
}
