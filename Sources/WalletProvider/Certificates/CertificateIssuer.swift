import Crypto
import SwiftASN1
import WalletTrust
import X509

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The authority that certifies the keys of PIDs and status lists.
struct CertificateIssuer {
  let certificate: PEMCertificate
  private let key: Certificate.PrivateKey

  /// Nil if the certificate is not that of the key.
  init?(_ key: Certificate.PrivateKey, _ certificate: PEMCertificate) {
    guard key.publicKey == certificate.certificate.publicKey, certificate.isAuthority else {
      return nil
    }
    self.key = key
    self.certificate = certificate
  }

  /// Nil if `scalar` is no P-256 key, or if the certificate is not that of the key.
  init?(scalar: [UInt8], _ certificate: PEMCertificate) {
    guard let key = Certificate.PrivateKey(scalar: scalar) else { return nil }
    self.init(key, certificate)
  }

  /// An authority with a certificate of its own, which no other authority may stand below.
  init(making scalar: [UInt8], subject: DistinguishedName, now: Int64) throws {
    guard let key = Certificate.PrivateKey(scalar: scalar) else { throw NotIssued() }
    var extensions = Certificate.Extensions()
    try extensions.append(
      .init(BasicConstraints.isCertificateAuthority(maxPathLength: 0), critical: true))
    try extensions.append(.init(KeyUsage(keyCertSign: true, cRLSign: true), critical: true))
    let identifier = SubjectKeyIdentifier(hash: key.publicKey)
    try extensions.append(.init(identifier, critical: false))
    try extensions.append(
      .init(AuthorityKeyIdentifier(keyIdentifier: identifier.keyIdentifier), critical: false))
    let end = now + CertificatePolicy.authorityLife
    certificate = try Self.sign(
      key.publicKey, subject, extensions, until: end, now: now, issuer: subject, by: key)
    self.key = key
  }

  /// Certifies a key that signs messages.
  ///
  /// - Parameters:
  ///   - role: `documentSigner` or `statusSigner`.
  ///   - now: seconds since 1970.
  func certify(
    _ publicKey: Certificate.PublicKey, subject: DistinguishedName,
    names: SubjectAlternativeNames, role: KeyRole, now: Int64
  ) throws -> PEMCertificate {
    var extensions = try Self.signerExtensions(names, role)
    try extensions.append(.init(SubjectKeyIdentifier(hash: publicKey), critical: false))
    let identifier =
      try certificate.certificate.extensions.subjectKeyIdentifier
      ?? SubjectKeyIdentifier(hash: key.publicKey)
    try extensions.append(
      .init(AuthorityKeyIdentifier(keyIdentifier: identifier.keyIdentifier), critical: false))
    return try Self.sign(
      publicKey, subject, extensions,
      until: min(now + CertificatePolicy.signerLife, certificate.notAfter), now: now,
      issuer: certificate.certificate.subject, by: key)
  }

  /// What a signer's certificate says of its use, which a request asks for as well.
  static func signerExtensions(
    _ names: SubjectAlternativeNames, _ role: KeyRole
  ) throws -> Certificate.Extensions {
    var extensions = Certificate.Extensions()
    try extensions.append(.init(BasicConstraints.notCertificateAuthority, critical: true))
    try extensions.append(.init(KeyUsage(digitalSignature: true), critical: true))
    if !names.isEmpty { try extensions.append(.init(names, critical: false)) }
    if role == .statusSigner {
      try extensions.append(.init(ExtendedKeyUsage([.statusSigning]), critical: false))
    }
    return extensions
  }

  private static func sign(
    _ publicKey: Certificate.PublicKey, _ subject: DistinguishedName,
    _ extensions: Certificate.Extensions, until end: Int64, now: Int64, issuer: DistinguishedName,
    by key: Certificate.PrivateKey
  ) throws -> PEMCertificate {
    try PEMCertificate(
      Certificate(
        version: .v3, serialNumber: Certificate.SerialNumber(), publicKey: publicKey,
        notValidBefore: Date(timeIntervalSince1970: Double(now - CertificatePolicy.early)),
        notValidAfter: Date(timeIntervalSince1970: Double(end)), issuer: issuer,
        subject: subject, extensions: extensions, issuerPrivateKey: key))
  }

  private struct NotIssued: Error {}
}

extension ExtendedKeyUsage.Usage {
  /// Signing of status lists.
  static let statusSigning = ExtendedKeyUsage.Usage(oid: KeyPurpose.statusSigning)
}

extension Certificate.PrivateKey {
  /// A P-256 key; nil if `scalar` is none.
  init?(scalar: [UInt8]) {
    guard let key = try? P256.Signing.PrivateKey(rawRepresentation: scalar) else { return nil }
    self.init(key)
  }
}
