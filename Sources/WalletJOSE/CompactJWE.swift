public import WalletProtocol

/// A JWE in compact form (RFC 7516 section 7.1), encrypted with a key that is agreed on directly
/// (ECDH-ES, RFC 7518 section 4.6) and AES-GCM.
///
/// Parsing checks the form and the header; only `decrypt` shows that the content was meant for the
/// key. It never shows who encrypted it.
public struct CompactJWE: Sendable, Equatable, RedactedDescription {
  /// The maximum length of a text that is read unless the caller allows more, in bytes.
  public static let maximumLength = 128 * 1024
  /// The only `alg`.
  public static let algorithm = "ECDH-ES"

  /// The protected header.
  public let header: JOSEHeader
  /// `enc`.
  public let encryption: ContentEncryption
  /// `apu` and `apv`.
  public let parties: AgreementParties

  private let ephemeralKey: SubjectPublicKey
  private let protected: [UInt8]
  private let nonce: [UInt8]
  private let ciphertext: [UInt8]
  private let tag: [UInt8]

  /// Splits and decodes `text` without trusting any of it.
  public init(
    parsing text: String, maximumLength: Int = Self.maximumLength
  ) throws(JOSEError) {
    let parts = try CompactForm.split(text, into: 5, maximumLength: maximumLength)
    guard let header = Base64URL.decode(parts[0]), let nonce = Base64URL.decode(parts[2]),
      let ciphertext = Base64URL.decode(parts[3]), let tag = Base64URL.decode(parts[4]),
      nonce.count == ContentEncryption.nonceLength, tag.count == ContentEncryption.tagLength
    else { throw .malformed }
    let parsed = try JOSEHeader(parsing: header)
    guard parsed.algorithm == Self.algorithm else { throw .algorithmRefused }
    // The key is agreed on directly, so there is none to carry. Content is never inflated, because
    // it could grow beyond all limits.
    guard parts[1].isEmpty, parsed.members["zip"] == nil,
      case .string(let name)? = parsed.members["enc"],
      let encryption = ContentEncryption(rawValue: name)
    else { throw .encryptionRefused }
    guard let ephemeralKey = parsed.members["epk"] else { throw .headerMalformed }
    self.header = parsed
    self.encryption = encryption
    self.ephemeralKey = try SubjectPublicKey(foreignJWK: ephemeralKey)
    guard self.ephemeralKey.algorithm == .es256 else { throw .keyRefused }
    parties = AgreementParties(
      producer: try Self.party("apu", in: parsed), recipient: try Self.party("apv", in: parsed))
    protected = Array(parts[0].utf8)
    self.nonce = nonce
    self.ciphertext = ciphertext
    self.tag = tag
  }

  private static func party(
    _ name: String, in header: JOSEHeader
  ) throws(JOSEError) -> [UInt8] {
    switch header.members[name] {
    case nil: return []
    case .string(let text)?:
      guard let bytes = Base64URL.decode(text) else { throw .headerMalformed }
      return bytes
    default: throw .headerMalformed
    }
  }

  /// Returns the content.
  ///
  /// - Throws: `keyRefused` if `epk` is not on the curve, `decryptionFailed` if the content was
  ///   encrypted for another key or any part was changed.
  public func decrypt(with key: KeyAgreementKey) throws(JOSEError) -> [UInt8] {
    let secret = try key.agree(with: ephemeralKey, for: encryption, parties: parties)
    return try encryption.open(
      ContentEncryption.Sealed(nonce: nonce, ciphertext: ciphertext, tag: tag),
      authenticating: protected, key: secret)
  }

  /// Encrypts `content` for `recipient`, with a key that is made for it and forgotten, and returns
  /// the compact form.
  ///
  /// - Parameters:
  ///   - keyID: `kid` of the recipient's key, if it has one.
  ///   - parties: `apu` and `apv`; those that are empty are left out.
  /// - Throws: `keyRefused` if the recipient's key is not a P-256 point on the curve.
  public static func encrypt(
    _ content: [UInt8], for recipient: SubjectPublicKey, keyID: String? = nil,
    with encryption: ContentEncryption, parties: AgreementParties = AgreementParties()
  ) throws(JOSEError) -> String {
    let ephemeral = try KeyAgreementKey()
    let key = try ephemeral.agree(with: recipient, for: encryption, parties: parties)
    var header: [String: JSONValue] = [
      "alg": .string(algorithm), "enc": .string(encryption.rawValue),
      "epk": ephemeral.publicKey.jwk,
    ]
    if let keyID { header["kid"] = .string(keyID) }
    if !parties.producer.isEmpty { header["apu"] = .string(Base64URL.encode(parties.producer)) }
    if !parties.recipient.isEmpty { header["apv"] = .string(Base64URL.encode(parties.recipient)) }
    let protected = Base64URL.encode(JSONValue.object(header).encoded)
    let sealed = try encryption.seal(content, authenticating: Array(protected.utf8), key: key)
    let rest = [sealed.nonce, sealed.ciphertext, sealed.tag].map(Base64URL.encode)
    return ([protected, ""] + rest).joined(separator: ".")
  }
}
