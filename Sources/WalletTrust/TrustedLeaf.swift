internal import SwiftASN1
public import WalletJOSE
internal import WalletProtocol
internal import X509

/// The certificate of a party whose chain was judged, with what the anchor allows it.
public struct TrustedLeaf: Sendable {
  /// The key that the party signs with.
  public let verifier: P256VerifyingKey
  /// organizationName of the subject, for display; nil if there is not exactly one, or if it has
  /// characters that could disguise it, such as marks of direction.
  public let organizationName: String?
  /// organizationIdentifier of the subject (ETSI EN 319 412-1 section 5.1.4), which registrations
  /// name; nil if there is not exactly one.
  public let organizationIdentifier: String?
  /// The host names of the subject's alternative names, as certified.
  public let dnsNames: [String]
  /// The URIs of the subject's alternative names, as certified.
  public let uris: [String]
  /// The SHA-256 of the certificate in DER, 32 bytes.
  public let digest: [UInt8]
  /// The authority key identifiers of the path, from the leaf to the anchor, each once (OpenID4VP
  /// 1.0 section 6.1.1.1).
  public let authorityKeyIdentifiers: [[UInt8]]
  /// The name of the anchor.
  public let anchorName: String
  /// What tells the anchors above the party from others, each 32 bytes; see
  /// `TrustAnchors.trustIssuer`.
  public let authorities: [[UInt8]]
  /// The types of cards that the party may issue; empty unless it is an issuer. Ask `mayIssue`,
  /// because strings are also equal if they are only canonically equivalent.
  let types: Set<String>

  private static let organizationIdentifierType: ASN1ObjectIdentifier = [2, 5, 4, 97]

  /// - Parameters:
  ///   - path: the leaf and all above it, judged.
  ///   - anchor: the one that ends the path.
  ///   - fitting: all that could end it.
  init(
    _ leaf: PathCertificate, path: [PathCertificate], anchor: TrustAnchor, fitting: [TrustAnchor]
  ) throws(TrustError) {
    do { verifier = try P256VerifyingKey(SubjectPublicKey(der: leaf.key)) } catch {
      throw .leafKeyRefused
    }
    organizationName = Self.attribute(.RDNAttributeType.organizationName, of: leaf)
    organizationIdentifier = Self.attribute(Self.organizationIdentifierType, of: leaf)
    dnsNames = leaf.alternativeNames.compactMap {
      if case .dnsName(let name) = $0 { name } else { nil }
    }
    uris = leaf.alternativeNames.compactMap {
      if case .uniformResourceIdentifier(let uri) = $0 { uri } else { nil }
    }
    digest = JOSEDigest.sha256(leaf.der)
    var identifiers: [[UInt8]] = []
    for certificate in path {
      guard let identifier = certificate.authorityKey?.keyIdentifier.map(Array.init) else {
        continue
      }
      if !identifiers.contains(identifier) { identifiers.append(identifier) }
    }
    authorityKeyIdentifiers = identifiers
    anchorName = anchor.name
    authorities = fitting.map(\.authority)
    types = fitting.reduce(into: []) { $0.formUnion($1.types) }
  }

  /// Whether the party may issue a card of all of these types: its `vct` and its `aka_vcts`.
  public func mayIssue(_ wanted: [String]) -> Bool {
    let allowed = Set(types.map { Array($0.utf8) })
    return !wanted.isEmpty && wanted.allSatisfy { allowed.contains(Array($0.utf8)) }
  }

  private static func attribute(
    _ type: ASN1ObjectIdentifier, of leaf: PathCertificate
  ) -> String? {
    let values = leaf.certificate.subject.joined().filter { $0.type == type }
    guard values.count == 1, let text = values.first.flatMap({ String($0.value) }),
      DisplayText.isPlain(text)
    else { return nil }
    return text
  }
}
