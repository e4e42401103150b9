import WalletProtocol
import WalletSignatures

extension KeyRole {
  /// The roles whose keys are certified by the authority.
  static let certified: [KeyRole] = [.documentSigner, .statusSigner]

  /// The environment variable that may hold the role's certificates instead of a file; nil for a
  /// role without certificates.
  var certificateVariable: String? {
    switch self {
    case .issuerAuthority: "WALLET_PROVIDER_ISSUER_AUTHORITY"
    case .documentSigner: "WALLET_PROVIDER_CHAIN_DOCUMENT_SIGNER"
    case .statusSigner: "WALLET_PROVIDER_CHAIN_STATUS_SIGNER"
    case .configurationSigning, .result, .certificate, .encryption, .use, .sealing: nil
    }
  }
}

/// The certificates beside the keys, in `ROLE.pem` or in a variable. They are not secret.
extension KeySource {
  func certificatePath(_ role: KeyRole) -> String { "\(directory)/\(role.rawValue).pem" }

  /// Whether the role's certificates come from an environment variable.
  func hasCertificatesInEnvironment(_ role: KeyRole) -> Bool {
    role.certificateVariable.flatMap(environment.value) != nil
  }

  /// The name under which operators know the role's certificates: the variable or the file path.
  func certificateName(_ role: KeyRole) -> String {
    guard let variable = role.certificateVariable, hasCertificatesInEnvironment(role) else {
      return certificatePath(role)
    }
    return variable
  }

  /// The certificates of the authority; none if there is neither a variable nor a file.
  func authorities() throws(FileProblem) -> [PEMCertificate] {
    let found = try certificates(.issuerAuthority)
    guard found.allSatisfy(\.isAuthority) else {
      throw FileProblem(
        "\(certificateName(.issuerAuthority)) holds a certificate that is not that of an authority"
          + " (basicConstraints CA)")
    }
    return found
  }

  /// The chains of a role, each with the signer's certificate first.
  func chains(_ role: KeyRole) throws(FileProblem) -> [[PEMCertificate]] {
    var chains: [[PEMCertificate]] = []
    for certificate in try certificates(role) {
      if !certificate.isAuthority {
        chains.append([certificate])
      } else if let last = chains.indices.last {
        chains[last].append(certificate)
      } else {
        throw FileProblem(
          "\(certificateName(role)) does not begin with the certificate of a signer")
      }
    }
    return chains
  }

  /// The P-256 keys of a role, the current one first.
  func p256Signers(_ role: KeyRole) throws(FileProblem) -> [P256Signer] {
    guard let secrets = try find(role)?.entries.map(\.secret) else { throw missing(role) }
    let signers = secrets.compactMap { try? P256Signer(scalar: $0) }
    guard signers.count == secrets.count else {
      throw FileProblem("\(name(role)) does not hold keys of this role")
    }
    return signers
  }

  func missingChain(_ role: KeyRole, _ key: String) -> FileProblem {
    let name = role.rawValue
    return FileProblem(
      "\(certificateName(role)) has no certificate for the current \(name) key \(key). A start makes"
        + " it where \(path(.issuerAuthority)) and its certificate are; otherwise run: keys request"
        + " \(name), let the authority sign that, and run: keys accept \(name)")
  }

  private func certificates(_ role: KeyRole) throws(FileProblem) -> [PEMCertificate] {
    let name = certificateName(role)
    if let text = role.certificateVariable.flatMap(environment.value) {
      return try PEMCertificate.parse(text, name: name)
    }
    guard let content = try PrivateFile.read(name, secret: false) else { return [] }
    return try PEMCertificate.parse(String(decoding: content, as: UTF8.self), name: name)
  }

  /// Replaces the file of a role's certificates. Only one process may call this at a time.
  func replaceCertificates(
    _ role: KeyRole, with certificates: [PEMCertificate]
  ) throws(FileProblem) {
    try PrivateFile.createDirectory(directory)
    try PrivateFile.write(
      Array(PEMCertificate.text(certificates).utf8), to: certificatePath(role), replace: true,
      mode: 0o644)
  }

  /// Puts a chain in the place of the one for the same key. Chains of keys that are not here any
  /// more are left out. Only one process may call this at a time.
  func install(_ chain: [PEMCertificate], of role: KeyRole) throws(FileProblem) {
    let held = Set(try p256Signers(role).map { $0.subject.rawKey })
    let others = try chains(role).filter { other in
      guard let point = other.first?.point else { return false }
      return point != chain.first?.point && held.contains(point)
    }
    try replaceCertificates(role, with: (others + [chain]).flatMap { $0 })
  }
}
