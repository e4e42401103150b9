internal import SwiftASN1
internal import WalletProtocol
internal import X509

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// A certificate with all that the rules look at, read once (RFC 5280 section 4).
///
/// Names are compared as encoded. So two spellings of one name differ, which can only refuse a
/// chain.
struct PathCertificate: Sendable {
  /// The maximum length of a certificate, in bytes.
  static let maximumLength = 8 * 1024

  /// The keys that sign certificates.
  enum KeyKind { case p256, p384, other }

  let der: [UInt8]
  let certificate: Certificate
  let issuer: [UInt8]
  let subject: [UInt8]
  let keyKind: KeyKind
  /// The SubjectPublicKeyInfo.
  let key: [UInt8]
  let notBefore: Int64
  let notAfter: Int64
  let isAuthority: Bool
  /// How many authorities may stand between this one and the leaf; nil for no limit.
  let pathLength: Int?
  let keyUsage: KeyUsage?
  let purposes: ExtendedKeyUsage?
  let authorityKey: AuthorityKeyIdentifier?
  let subjectKey: [UInt8]?
  let alternativeNames: [GeneralName]
  let constraints: NameConstraints?

  // SEQUENCE { SEQUENCE { ecPublicKey, secp384r1 }, BIT STRING } up to the uncompressed point.
  private static let p384Prefix: [UInt8] = [
    0x30, 0x76, 0x30, 0x10, 0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01, 0x06, 0x05, 0x2B,
    0x81, 0x04, 0x00, 0x22, 0x03, 0x62, 0x00, 0x04,
  ]

  init(der: [UInt8]) throws(TrustError) {
    guard der.count <= Self.maximumLength else { throw .chainLength }
    let parts = try CertificateParts(der: der)
    guard parts.innerAlgorithm == parts.outerAlgorithm else { throw .algorithmRefused }
    self.der = der
    issuer = parts.issuer
    subject = parts.subject
    key = parts.key
    keyKind = Self.kind(of: parts.key)
    do {
      let certificate = try Certificate(derEncoded: der)
      guard certificate.version == .v3 else { throw TrustError.certificateMalformed }
      let extensions = certificate.extensions
      switch try extensions.basicConstraints {
      case .isCertificateAuthority(let maximum)?: (isAuthority, pathLength) = (true, maximum)
      case .notCertificateAuthority?, nil: (isAuthority, pathLength) = (false, nil)
      }
      keyUsage = try extensions.keyUsage
      purposes = try extensions.extendedKeyUsage
      authorityKey = try extensions.authorityKeyIdentifier
      subjectKey = try extensions.subjectKeyIdentifier.map { Array($0.keyIdentifier) }
      alternativeNames = try Array(extensions.subjectAlternativeNames ?? SubjectAlternativeNames())
      constraints = try extensions.nameConstraints
      notBefore = Int64(certificate.notValidBefore.timeIntervalSince1970)
      notAfter = Int64(certificate.notValidAfter.timeIntervalSince1970)
      self.certificate = certificate
    } catch { throw .certificateMalformed }
  }

  private static func kind(of key: [UInt8]) -> KeyKind {
    if (try? SubjectPublicKey(der: key))?.algorithm == .es256 { return .p256 }
    return key.count == 120 && key.starts(with: p384Prefix) ? .p384 : .other
  }
}

/// The parts of a certificate as they are encoded. The library that reads it keeps their values
/// only.
private struct CertificateParts {
  let outerAlgorithm: [UInt8]
  let innerAlgorithm: [UInt8]
  let issuer: [UInt8]
  let subject: [UInt8]
  let key: [UInt8]

  init(der: [UInt8]) throws(TrustError) {
    let outer: [ASN1Node]
    let inner: [ASN1Node]
    do { outer = Self.children(of: try DER.parse(der)) } catch { throw .certificateMalformed }
    // An ECDSA signature is whole bytes (RFC 3279 section 2.2.3); the library ignores the number of
    // unused bits, so a changed one would give another spelling of the same certificate.
    guard outer.count == 3, case .primitive(let signature) = outer[2].content, signature.first == 0
    else { throw .certificateMalformed }
    inner = Self.children(of: outer[0])
    // Version, serial number, algorithm, issuer, validity, subject and key; then extensions.
    guard inner.count >= 8 else { throw .certificateMalformed }
    outerAlgorithm = Array(outer[1].encodedBytes)
    innerAlgorithm = Array(inner[2].encodedBytes)
    issuer = Array(inner[3].encodedBytes)
    subject = Array(inner[5].encodedBytes)
    key = Array(inner[6].encodedBytes)
  }

  private static func children(of node: ASN1Node) -> [ASN1Node] {
    guard case .constructed(let nodes) = node.content else { return [] }
    return Array(nodes)
  }
}
