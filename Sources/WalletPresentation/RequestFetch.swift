public import WalletJOSE
public import WalletProtocol

/// How the request object is fetched (OpenID4VP 1.0 section 5.10), and how the answer is opened.
///
/// What is sent says what every wallet of this kind supports, and nothing of this one: nonce and key
/// are made for one request and forgotten.
public struct RequestFetch: Sendable, RedactedDescription {
  /// The longest answer, in bytes: a request object with an encryption around it.
  public static let maximumLength = CompactJWE.maximumLength

  public let url: String
  public let isPOST: Bool
  /// The web form of a POST; empty for a GET.
  public let body: [UInt8]
  /// The media type of `body`; nil for a GET.
  public let mediaType: String?
  /// The only media type that is taken for an answer.
  public let accept = PresentationRequest.mediaType
  /// What the request object has to repeat; nil for a GET, which has no place for it.
  public let walletNonce: String?

  /// The key that was offered, with its id.
  private let offered: (key: KeyAgreementKey, id: String)?

  /// - Parameters:
  ///   - link: by which the wallet was called.
  ///   - nonce: 32 random bytes, never used before.
  ///   - key: made for this request.
  public init(_ link: PresentationLink, nonce: [UInt8], key: KeyAgreementKey) {
    url = link.requestURI
    isPOST = link.usesPOST
    guard link.usesPOST else {
      body = []
      mediaType = nil
      walletNonce = nil
      offered = nil
      return
    }
    let walletNonce = Base64URL.encode(nonce)
    let keyID = Base64URL.encode(key.publicKey.thumbprint)
    let metadata = Self.metadata(key.publicKey, keyID)
    self.walletNonce = walletNonce
    offered = (key, keyID)
    mediaType = WebForm.mediaType
    body = WebForm.encode([
      ("wallet_metadata", String(decoding: metadata.encoded, as: UTF8.self)),
      ("wallet_nonce", walletNonce),
    ])
  }

  /// What the wallet supports (OpenID4VP 1.0 section 10, RFC 9101 section 10.3.1).
  private static func metadata(_ key: SubjectPublicKey, _ keyID: String) -> JSONValue {
    func list(_ values: String...) -> JSONValue { .array(values.map { .string($0) }) }
    var jwk = key.jwk.object ?? [:]
    jwk["kid"] = .string(keyID)
    jwk["use"] = .string("enc")
    jwk["alg"] = .string(CompactJWE.algorithm)
    let algorithms: JSONValue = .object([
      "sd-jwt_alg_values": list("ES256"), "kb-jwt_alg_values": list("ES256"),
    ])
    return .object([
      "vp_formats_supported": .object(["dc+sd-jwt": algorithms]),
      "client_id_prefixes_supported": list("x509_hash", "x509_san_dns"),
      "request_object_signing_alg_values_supported": list("ES256"),
      "response_types_supported": list("vp_token"),
      "response_modes_supported": list("direct_post.jwt"),
      "jwks": .object(["keys": .array([.object(jwk)])]),
      "request_object_encryption_alg_values_supported": list(CompactJWE.algorithm),
      "request_object_encryption_enc_values_supported": .array(
        ContentEncryption.allCases.map { .string($0.rawValue) }),
    ])
  }

  /// Returns the signed request object of an answer, in compact form. Its signature is not judged
  /// here.
  ///
  /// A relying party may encrypt the object if a key was offered, and need not.
  ///
  /// - Parameter object: the answer: a JWS, or a JWE with one in it.
  public func open(_ object: String) throws(RequestRefusal) -> String {
    guard object.utf8.count <= Self.maximumLength else { throw RequestRefusal(.objectMalformed) }
    switch Self.parts(object) {
    case 3: return try Self.signed(object)
    case 5: return try Self.signed(decrypted(object))
    default: throw RequestRefusal(.objectMalformed)
    }
  }

  private func decrypted(_ object: String) throws(RequestRefusal) -> String {
    guard let offered, let jwe = try? CompactJWE(parsing: object),
      let keyID = jwe.header.keyID, keyID.utf8.elementsEqual(offered.id.utf8),
      // What is inside is itself a JWT (RFC 7519 section 5.2).
      let type = jwe.header.members["cty"]?.string, type.utf8.elementsEqual("JWT".utf8),
      let content = try? jwe.decrypt(with: offered.key),
      let text = String(validating: content, as: UTF8.self)
    else { throw RequestRefusal(.objectMalformed) }
    return text
  }

  /// Lets pass what has the form of a JWS, and so no second encryption.
  private static func signed(_ text: String) throws(RequestRefusal) -> String {
    guard text.utf8.count <= PresentationRequest.maximumLength, parts(text) == 3 else {
      throw RequestRefusal(.objectMalformed)
    }
    return text
  }

  private static func parts(_ text: String) -> Int {
    text.utf8.reduce(1) { $1 == UInt8(ascii: ".") ? $0 + 1 : $0 }
  }
}
