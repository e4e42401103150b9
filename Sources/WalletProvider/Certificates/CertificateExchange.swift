import Crypto
import SwiftASN1
import WalletProtocol
import WalletSignatures
import X509

/// What a provider and an authority that is kept elsewhere give each other: a request for a
/// certificate, and the chain that answers it.
public struct CertificateExchange: Sendable {
  private let directory: String
  private let source: KeySource
  private let settings: ProviderSettings

  /// - Parameter directory: a data directory that already has its keys.
  public init(
    directory: String, settings: ProviderSettings, environment: KeyEnvironment = .process
  ) {
    self.directory = directory
    self.settings = settings
    source = KeySource(
      directory: directory + "/keys", environment: environment, makesMissing: false)
  }

  /// A request for a certificate of a key with the names of the settings (PKCS #10, RFC 2986), as
  /// PEM.
  ///
  /// - Parameters:
  ///   - role: `documentSigner` or `statusSigner`.
  ///   - isNext: true for the key that waits to replace the current one.
  /// - Throws: `FileProblem`, `KeyRefusal`.
  public func request(_ role: KeyRole, isNext: Bool) throws -> String {
    try Self.checkRole(role)
    guard let list = try source.find(role) else { throw source.missing(role) }
    guard let index = isNext ? list.next : list.entries.indices.first,
      let key = Certificate.PrivateKey(scalar: list.secrets[index])
    else {
      throw KeyRefusal(
        description: "no \(role.rawValue) key waits; make one with: keys rotate \(role.rawValue)")
    }
    let names = IssuerNames(settings)
    let extensions = try CertificateIssuer.signerExtensions(names.alternativeNames, role)
    let request = try CertificateSigningRequest(
      version: .v1, subject: names.subject(role), privateKey: key,
      attributes: .init([.init(ExtensionRequest(extensions: extensions))]))
    return try request.serializeAsPEM().pemString
  }

  /// Installs the chain of a key, after it was judged as a wallet judges it.
  ///
  /// - Parameters:
  ///   - role: `documentSigner` or `statusSigner`.
  ///   - chain: certificates as PEM, the key's own first.
  ///   - authority: certificates as PEM that the chain must lead to, which are then added to those
  ///     of the provider's authority; nil for those that are there.
  ///   - now: seconds since 1970.
  /// - Returns: the id of the key.
  /// - Throws: `FileProblem`, `KeyRefusal`.
  public func accept(
    _ role: KeyRole, chain: String, authority: String?, now: Int64
  ) throws -> String {
    try Self.checkRole(role)
    try checkCanChange(role, "chains")
    if authority != nil { try checkCanChange(.issuerAuthority, "certificates") }
    let lock = try DirectoryLock(directory: directory)
    let known = try source.authorities()
    let given = try authority.map { try PEMCertificate.parse($0, name: "the authority") }
    let trusted = given ?? known
    let certificates = try PEMCertificate.parse(chain, name: "the chain")
    // Authorities hand out the anchor too, which has no place in a message.
    let path = certificates.filter { certificate in
      !trusted.contains { $0.der == certificate.der }
    }
    guard let leaf = path.first,
      let signer = try source.p256Signers(role).first(where: { $0.subject.rawKey == leaf.point })
    else {
      throw KeyRefusal(
        description:
          "the chain does not begin with the certificate of a \(role.rawValue) key of this"
          + " provider")
    }
    try judge(path, role, below: trusted, now: now)
    try checkNames(leaf)
    if let given {
      let added = given.filter { !known.contains($0) }
      try source.replaceCertificates(.issuerAuthority, with: known + added)
    }
    try source.install(path, of: role)
    _ = consume lock
    return signer.id
  }

  private func judge(
    _ path: [PEMCertificate], _ role: KeyRole, below trusted: [PEMCertificate], now: Int64
  ) throws(KeyRefusal) {
    do {
      let anchors = trusted.map { IssuerAuthority($0) }.anchors(settings)
      try ChainJudge(anchors, settings).judge(path.map(\.der), role, now: now)
    } catch {
      throw KeyRefusal(
        description: "wallets would refuse these certificates: \(ChainJudge.reason(error))")
    }
  }

  /// Throws unless the certificate names the provider as verifiers find it (`iss`).
  private func checkNames(_ leaf: PEMCertificate) throws {
    guard let url = settings.publicURL else { return }
    let names = try leaf.certificate.extensions.subjectAlternativeNames ?? .init()
    guard names.contains(.uniformResourceIdentifier(url.text)) else {
      throw KeyRefusal(
        description: "the certificate does not name \(url.text) among its alternative names, as the"
          + " request does")
    }
  }

  private func checkCanChange(_ role: KeyRole, _ what: String) throws(KeyRefusal) {
    guard !source.hasCertificatesInEnvironment(role) else {
      throw KeyRefusal(
        description:
          "the \(role.rawValue) \(what) come from \(source.certificateName(role)); change"
          + " them where it is set")
    }
  }

  private static func checkRole(_ role: KeyRole) throws(KeyRefusal) {
    guard KeyRole.certified.contains(role) else {
      throw KeyRefusal(
        description: "only document-signer and status-signer keys have certificates of an authority"
      )
    }
  }
}

/// The work of an authority on a machine without the provider.
public enum OfflineAuthority {
  /// Signs a request of `keys request`.
  ///
  /// - Parameters:
  ///   - request: PKCS #10 as PEM.
  ///   - key: the authority's key: a key file of the role `issuer-authority`, or PEM.
  ///   - certificate: the authority's certificates as PEM, of which one is that of the key.
  ///   - now: seconds since 1970.
  /// - Returns: the certificate as PEM.
  /// - Throws: `KeyRefusal`, `FileProblem`.
  public static func certify(
    request: String, key: String, certificate: String, now: Int64
  ) throws -> String {
    let certificates = try PEMCertificate.parse(certificate, name: "the authority's certificate")
    let issuer = try keys(key).lazy.compactMap { key in
      certificates.lazy.compactMap { CertificateIssuer(key, $0) }.first
    }.first
    guard let issuer else {
      throw KeyRefusal(description: "the certificate is not that of an authority with this key")
    }
    guard let request = try? CertificateSigningRequest(pemEncoded: request),
      request.publicKey.isValidSignature(request.signature, for: request)
    else { throw KeyRefusal(description: "this is no request that its own key has signed") }
    guard P256.Signing.PublicKey(request.publicKey) != nil else {
      throw KeyRefusal(description: "the request is for another kind of key than P-256")
    }
    let (names, role) = try wanted(request)
    let made = try issuer.certify(
      request.publicKey, subject: request.subject, names: names, role: role, now: now)
    do {
      let settings = ProviderSettings()
      let anchors = [IssuerAuthority(issuer.certificate)].anchors(settings)
      try ChainJudge(anchors, settings).judge([made.der], role, now: now)
    } catch {
      throw KeyRefusal(
        description: "wallets would refuse the certificate: \(ChainJudge.reason(error))")
    }
    return String(PEMCertificate.text([made]).dropLast())
  }

  private static func keys(_ text: String) throws(KeyRefusal) -> [Certificate.PrivateKey] {
    if let key = try? Certificate.PrivateKey(pemEncoded: text) { return [key] }
    let secrets = (try? KeyList(parsing: text))?.secrets ?? []
    let keys = secrets.compactMap { Certificate.PrivateKey(scalar: $0) }
    guard !keys.isEmpty else { throw KeyRefusal(description: "the key cannot be read") }
    return keys
  }

  /// The names and the use that a request asks for.
  private static func wanted(
    _ request: CertificateSigningRequest
  ) throws(KeyRefusal) -> (SubjectAlternativeNames, KeyRole) {
    guard let extensions = try? request.attributes.extensionRequest?.extensions,
      let purposes = try? extensions.extendedKeyUsage ?? ExtendedKeyUsage(),
      let names = try? extensions.subjectAlternativeNames ?? SubjectAlternativeNames()
    else { throw KeyRefusal(description: "the request asks for nothing that can be read") }
    let allowed = names.allSatisfy { name in
      switch name {
      case .dnsName, .ipAddress, .uniformResourceIdentifier: true
      default: false
      }
    }
    let purpose = Array(purposes)
    guard allowed, !request.subject.isEmpty, purpose.isEmpty || purpose == [.statusSigning] else {
      throw KeyRefusal(
        description: "the request asks for other names or purposes than those of a provider")
    }
    return (names, purpose.isEmpty ? .documentSigner : .statusSigner)
  }
}
