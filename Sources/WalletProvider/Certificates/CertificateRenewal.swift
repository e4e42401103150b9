import Crypto
import X509

/// Makes the certificates that the authority of this directory can make: its own, and those of
/// signers that have none, or one that is out of date. Nothing is made for keys or certificates in
/// variables, and no chain of another authority is replaced.
///
/// Only one process may do so at a time.
struct CertificateRenewal {
  let source: KeySource
  let names: IssuerNames
  /// Seconds since 1970.
  let now: Int64

  /// - Throws: `FileProblem`.
  func run() throws(FileProblem) {
    // Whoever keeps the authority elsewhere has its certificate here.
    if source.makesMissing, try source.authorities().isEmpty {
      _ = try source.findOrMake(.issuerAuthority)
    }
    guard let list = try source.find(.issuerAuthority) else { return }
    try certifyAuthorities(list)
    let authorities = try source.authorities()
    guard let secret = list.entries.first?.secret, let issuer = issuer(secret, authorities) else {
      return
    }
    let former = list.secrets.dropFirst().compactMap { self.issuer($0, authorities)?.certificate }
    for role in KeyRole.certified {
      try certify(role, by: issuer, own: [issuer.certificate] + former, authorities)
    }
  }

  /// Whether `run` would replace a chain of a current key.
  func wouldReplace(_ role: KeyRole, _ chain: [[UInt8]]) throws(FileProblem) -> Bool {
    guard !source.isInEnvironment(role), !source.hasCertificatesInEnvironment(role),
      let list = try source.find(.issuerAuthority), let secret = list.entries.first?.secret
    else { return false }
    let authorities = try source.authorities()
    guard let issuer = issuer(secret, authorities) else { return false }
    let former = list.secrets.dropFirst().compactMap { self.issuer($0, authorities)?.certificate }
    let certificates = chain.compactMap { try? PEMCertificate(der: $0) }
    return isOutdated(
      certificates, role, by: issuer.certificate, [issuer.certificate] + former, authorities)
  }

  /// Makes a certificate for each key of the authority that has none.
  private func certifyAuthorities(_ list: KeyList) throws(FileProblem) {
    let role = KeyRole.issuerAuthority
    guard !source.isInEnvironment(role), !source.hasCertificatesInEnvironment(role) else { return }
    var authorities = try source.authorities()
    let known = authorities.count
    for secret in list.secrets where issuer(secret, authorities) == nil {
      let made = try Self.making(role) {
        try CertificateIssuer(making: secret, subject: names.subject(role), now: now)
      }
      authorities.append(made.certificate)
    }
    guard authorities.count > known else { return }
    try source.replaceCertificates(role, with: authorities)
  }

  private func certify(
    _ role: KeyRole, by issuer: CertificateIssuer, own: [PEMCertificate],
    _ authorities: [PEMCertificate]
  ) throws(FileProblem) {
    guard !source.isInEnvironment(role), !source.hasCertificatesInEnvironment(role),
      let list = try source.find(role)
    else { return }
    for secret in list.secrets {
      guard let key = Certificate.PrivateKey(scalar: secret)?.publicKey else { continue }
      let chain = try source.chains(role).first { $0.first?.certificate.publicKey == key }
      if let chain, !isOutdated(chain, role, by: issuer.certificate, own, authorities) { continue }
      let made = try Self.making(role) {
        try issuer.certify(
          key, subject: names.subject(role), names: names.alternativeNames, role: role, now: now)
      }
      try source.install([made], of: role)
    }
  }

  /// Whether a chain is to be replaced: one of this authority that ends soon, has other names or
  /// another purpose or comes from a former key of it, and one that leads to no authority at all.
  private func isOutdated(
    _ chain: [PEMCertificate], _ role: KeyRole, by current: PEMCertificate,
    _ own: [PEMCertificate], _ authorities: [PEMCertificate]
  ) -> Bool {
    guard let leaf = chain.first, let last = chain.last,
      let authority = authorities.first(where: { last.isIssued(by: $0) })
    else { return true }
    guard own.contains(where: { $0.point == authority.point }) else { return false }
    return authority.point != current.point || !names.match(leaf.certificate, role)
      || role == .statusSigner && !leaf.certificate.signsStatusLists
      || leaf.notAfter - now < CertificatePolicy.renewal
  }

  private func issuer(_ secret: [UInt8], _ authorities: [PEMCertificate]) -> CertificateIssuer? {
    authorities.lazy.compactMap { CertificateIssuer(scalar: secret, $0) }.first
  }

  private static func making<Result>(
    _ role: KeyRole, _ body: () throws -> Result
  ) throws(FileProblem) -> Result {
    do { return try body() } catch {
      throw FileProblem("no certificate of the \(role.rawValue) key could be made")
    }
  }
}

extension Certificate {
  fileprivate var signsStatusLists: Bool {
    (try? extensions.extendedKeyUsage)?.contains(.statusSigning) == true
  }
}
