import SwiftASN1
import WalletJOSE
import WalletProtocol
import WalletSignatures

/// A document for verifiers, the same for everybody.
public struct IssuerDocument: Sendable {
  public let text: String
  public let mediaType: String
  /// A strong entity tag, including its quotes: the hash of the bytes.
  public let entityTag: String

  init(_ text: String, mediaType: String) {
    self.text = text
    self.mediaType = mediaType
    entityTag = "\"" + Base64URL.encode(Digest.sha256(text.utf8)) + "\""
  }

  init(json: JSONValue) {
    self.init(String(decoding: json.encoded, as: UTF8.self), mediaType: "application/json")
  }
}

/// What the provider publishes as an issuer, in the forms of draft-ietf-oauth-sd-jwt-vc-13, which
/// HAIP 1.0 names. It stays the same as long as a server runs.
public struct IssuerDocuments: Sendable {
  /// The path of the metadata, which is inserted before the path of the issuer's URL.
  public static let metadataPath = "/.well-known/jwt-vc-issuer"
  /// The path of the authority's certificates.
  public static let authorityPath = "/issuer-authority.pem"

  /// The issuer's URL and keys; nil without an https:// URL, which the draft demands.
  public let metadata: IssuerDocument?
  /// The description of the type of PIDs.
  public let type: IssuerDocument
  /// The certificates of the authority, as PEM.
  public let authorities: IssuerDocument
  /// The path of the issuer's URL; empty if it has none.
  public let publicPath: String

  init(_ keys: ProviderKeys, _ settings: ProviderSettings) {
    metadata = Self.metadata(keys, settings.publicURL)
    type = IssuerDocument(json: PIDTypeMetadata.json(settings.pidType))
    authorities = IssuerDocument(
      keys.issuerAuthorities.map {
        PEMDocument(type: "CERTIFICATE", derBytes: $0.certificate).pemString + "\n"
      }.joined(), mediaType: "application/pem-certificate-chain")
    publicPath = settings.publicURL?.path ?? ""
  }

  private static func metadata(_ keys: ProviderKeys, _ url: PublicURL?) -> IssuerDocument? {
    guard let url, url.isHTTPS else { return nil }
    let keys = keys.documentSigners.all.compactMap(Self.jwk)
    return IssuerDocument(
      json: .object([
        "issuer": .string(url.text), "jwks": .object(["keys": .array(keys)]),
      ]))
  }

  private static func jwk(_ key: CertifiedKey) -> JSONValue? {
    guard let point = Base64URL.decode(key.signer.published.key),
      let subject = try? SubjectPublicKey(p256: point), case .object(var members) = subject.jwk
    else { return nil }
    members["kid"] = .string(key.signer.id)
    members["alg"] = .string(key.signer.algorithm.rawValue)
    members["use"] = .string("sig")
    members["x5c"] = .array(key.chain.map { .string(Base64.encode($0)) })
    return .object(members)
  }
}

extension Provider {
  /// What the provider publishes as an issuer.
  public var issuerDocuments: IssuerDocuments { IssuerDocuments(identity.keys, settings) }
}
