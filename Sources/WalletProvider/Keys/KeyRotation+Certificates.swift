import WalletJOSE
import WalletProtocol
import WalletSignatures

/// What a rotation has to do with certificates.
extension KeyRotation {
  /// The ids of the keys of a role that have certificates, and when these end.
  func certificates(_ role: KeyRole) throws(FileProblem) -> [(id: String, end: Int64)] {
    switch role {
    case .issuerAuthority:
      return try source.authorities().map { (Digest.keyID($0.point), $0.notAfter) }
    case .documentSigner, .statusSigner:
      return try source.chains(role).compactMap { chain in
        guard let leaf = chain.first, let end = chain.map(\.notAfter).min() else { return nil }
        return (Digest.keyID(leaf.point), end)
      }
    default: return []
    }
  }

  /// Makes the certificates of new keys, if the authority's key is here. They are made at once, so
  /// that replicas can be given equal files.
  func certify(now: Int64) throws {
    let lock = try DirectoryLock(directory: directory)
    try CertificateRenewal(source: source, names: IssuerNames(settings), now: now).run()
    _ = consume lock
  }

  /// Throws if a key of the authority or below it cannot be used yet.
  func checkCertificate(
    of id: String, _ role: KeyRole, _ published: PublishedConfiguration, isUrgent: Bool
  ) throws {
    guard role.certificateVariable != nil else { return }
    guard try certificates(role).contains(where: { $0.id == id }) else {
      throw KeyRefusal(
        description: "the \(role.rawValue) key \(id) has no certificate in"
          + " \(source.certificateName(role))"
          + (role == .issuerAuthority
            ? "" : "; run: keys request \(role.rawValue) --next, and then keys accept"))
    }
    guard role == .issuerAuthority, !isUrgent else { return }
    let texts = Set(published.claims.trustAnchors.map(\.certificate))
    guard
      try source.authorities().contains(where: {
        Digest.keyID($0.point) == id && texts.contains(Base64.encode($0.der))
      })
    else {
      throw KeyRefusal(
        description: "the certificate of \(id) is not published yet; start the servers again")
    }
  }

  /// Throws while a key of the provider has a certificate of the authority's key `id`.
  func checkIsUnused(_ id: String) throws {
    let authorities = try source.authorities().filter { Digest.keyID($0.point) == id }
    for role in KeyRole.certified {
      let held = Set(try source.p256Signers(role).map { $0.subject.rawKey })
      for chain in try source.chains(role) {
        guard let leaf = chain.first, let last = chain.last, held.contains(leaf.point),
          authorities.contains(where: { last.isIssued(by: $0) })
        else { continue }
        throw KeyRefusal(
          description:
            "the \(role.rawValue) key \(Digest.keyID(leaf.point)) has a certificate of \(id);"
            + " start a server, which makes another")
      }
    }
  }

  /// Ends the publication of a retired key's certificate.
  func removeAuthority(_ id: String) throws(FileProblem) {
    guard !source.hasCertificatesInEnvironment(.issuerAuthority) else { return }
    let kept = try source.authorities().filter { Digest.keyID($0.point) != id }
    guard !kept.isEmpty else { return }
    try source.replaceCertificates(.issuerAuthority, with: kept)
  }
}
