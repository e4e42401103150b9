internal import SwiftASN1
internal import X509

/// The rules for single certificates and for a certificate and its issuer (RFC 5280 section 6.1).
extension PathCertificate {
  /// Signing of status lists.
  static let statusSigning = ExtendedKeyUsage.Usage(oid: KeyPurpose.statusSigning)
  /// Purposes with which a certificate signs status lists and nothing else.
  static let statusPurposes = [
    statusSigning, ExtendedKeyUsage.Usage(oid: KeyPurpose.formerStatusSigning),
  ]

  private static let known: Set<ASN1ObjectIdentifier> = [
    .X509ExtensionID.basicConstraints, .X509ExtensionID.keyUsage,
    .X509ExtensionID.authorityKeyIdentifier, .X509ExtensionID.subjectKeyIdentifier,
    .X509ExtensionID.subjectAlternativeName,
  ]

  /// Checks that `issuer` issued this certificate: names, key identifiers and signature.
  func checkIssued(by issuer: PathCertificate) throws(TrustError) {
    guard self.issuer == issuer.subject else { throw .nameMismatch }
    guard namesKey(of: issuer) else { throw .keyIdentifierMismatch }
    let expected: Certificate.SignatureAlgorithm
    switch issuer.keyKind {
    case .p256: expected = .ecdsaWithSHA256
    case .p384: expected = .ecdsaWithSHA384
    case .other: throw .algorithmRefused
    }
    guard certificate.signatureAlgorithm == expected else { throw .algorithmRefused }
    guard issuer.certificate.publicKey.isValidSignature(certificate.signature, for: certificate)
    else { throw .signatureInvalid }
  }

  /// Whether what the authority key identifier states (RFC 5280 section 4.2.1.1) is true of
  /// `issuer`. What is not stated is not compared.
  private func namesKey(of issuer: PathCertificate) -> Bool {
    guard let authorityKey else { return true }
    if let stated = authorityKey.keyIdentifier, let actual = issuer.subjectKey,
      Array(stated) != actual
    {
      return false
    }
    if let names = authorityKey.authorityCertIssuer,
      !names.contains(.directoryName(issuer.certificate.issuer))
    {
      return false
    }
    let serial = authorityKey.authorityCertSerialNumber
    return serial == nil || serial == issuer.certificate.serialNumber
  }

  /// Checks that the certificate is valid at `now`, in seconds since 1970 (RFC 5280 section
  /// 4.1.2.5).
  func checkValidity(now: Int64) throws(TrustError) {
    guard now >= notBefore else { throw .notYetValid }
    guard now <= notAfter else { throw .expired }
  }

  /// Checks that the certificate may sign certificates (RFC 5280 sections 4.2.1.3 and 4.2.1.9).
  ///
  /// - Parameter allowsAnyKey: For an authority whose certificates other software judges.
  func checkAuthority(allowsAnyKey: Bool = false) throws(TrustError) {
    try checkCriticalExtensions(and: [.X509ExtensionID.nameConstraints])
    guard isAuthority else { throw .notAuthority }
    guard keyUsage?.keyCertSign == true else { throw .keyUsageRefused }
    guard allowsAnyKey || keyKind != .other else { throw .algorithmRefused }
  }

  /// Checks that the certificate may sign messages in `role`, and no certificates.
  func checkLeaf(role: TrustRole) throws(TrustError) {
    try checkCriticalExtensions(and: [.X509ExtensionID.extendedKeyUsage])
    guard constraints == nil else { throw .extensionRefused }
    guard !isAuthority, keyUsage?.keyCertSign != true else { throw .leafIsAuthority }
    guard keyUsage?.digitalSignature == true else { throw .keyUsageRefused }
    switch role {
    case .statusList:
      guard purposes?.contains(Self.statusSigning) == true else { throw .purposeRefused }
    case .relyingParty, .issuer, .registrar, .host:
      // A signer of status lists may stand below the same authority as an issuer.
      guard purposes?.contains(where: { !Self.statusPurposes.contains($0) }) ?? true else {
        throw .purposeRefused
      }
    }
  }

  private func checkCriticalExtensions(
    and others: Set<ASN1ObjectIdentifier>
  ) throws(TrustError) {
    let known = Self.known.union(others)
    guard certificate.extensions.allSatisfy({ !$0.critical || known.contains($0.oid) }) else {
      throw .extensionRefused
    }
  }
}
