import WalletSignatures
public import WalletProtocol

/// The keys of the provider: one ring per role, whose first key is in use.
public struct ProviderKeys: Sendable, RedactedDescription {
  /// Signs the configuration.
  let configurationSigning: SigningKeyRing
  /// The public half of the second configuration-signing key, the offline key. Its private half is
  /// meant to be kept where no server can reach it.
  let configurationOffline: [UInt8]
  /// Signs instruction results.
  let result: SigningKeyRing
  /// Signs wallet certificates.
  let certificate: SigningKeyRing
  /// The authority that certifies the next keys: its certificates, the newest last.
  public let issuerAuthorities: [IssuerAuthority]
  /// Sign PIDs that name their signer by a certificate. Keys without a certificate are left out.
  public let documentSigners: KeyRing<CertifiedKey>
  /// Sign status lists. Keys without a certificate are left out.
  public let statusSigners: KeyRing<CertifiedKey>
  /// Opens what wallets seal: PIN instructions, enrolment codes, evidence.
  let encryption: EncryptionKeyRing
  /// Opens what wallets need to use copies of cards.
  package let use: UseKeys
  /// Seals PIN public keys, unlock shares and personal data in the database.
  let sealing: SealingKeyRing

  /// The key that signs PIDs at present.
  public var documentSigner: CertifiedKey { documentSigners.current }

  /// The key that signs status lists at present.
  public var statusSigner: CertifiedKey { statusSigners.current }

  /// The keys with which clients verify the configuration.
  var configurationSigningKeys: [PublishedKey] {
    let online = configurationSigning.published
    // Clients need the offline key because it signs if the other key is lost. If both are the same
    // key, it is published once.
    return online.contains(offlineKey) ? online : online + [offlineKey]
  }

  var offlineKey: PublishedKey {
    PublishedKey(
      id: Digest.keyID(configurationOffline), key: Base64URL.encode(configurationOffline))
  }

  /// Reads the keys from the environment or the files in `directory`, and makes files for roles
  /// that are in neither.
  ///
  /// A key file has mode 0600. Only `KeyRotation` changes it.
  ///
  /// - Parameter now: seconds since 1970.
  /// - Throws: `FileProblem` that names the file or variable.
  init(
    directory: String, environment: KeyEnvironment = .process, settings: ProviderSettings,
    now: Int64
  ) throws(FileProblem) {
    let source = KeySource(directory: directory, environment: environment)
    try source.environment.checkNames()
    for role in KeyRole.certified { _ = try source.findOrMake(role) }
    try CertificateRenewal(source: source, names: IssuerNames(settings), now: now).run()
    try self.init(source)
  }

  /// Reads the keys without making any.
  ///
  /// - Throws: `FileProblem`, also for missing keys.
  init(
    existing directory: String, environment: KeyEnvironment = .process
  ) throws(FileProblem) {
    var source = KeySource(directory: directory, environment: environment)
    source.makesMissing = false
    try self.init(source)
  }

  private init(_ source: KeySource) throws(FileProblem) {
    try source.environment.checkNames()
    configurationSigning = try source.signers(.configurationSigning)
    configurationOffline = try source.offlinePublicKey()
    result = try source.signers(.result)
    certificate = try source.signers(.certificate)
    encryption = try source.ring(.encryption) { EncryptionKey(secretKey: $0) }
    use = try source.useKeys()
    sealing = try source.ring(.sealing) { SoftwareSealingKey($0) }
    issuerAuthorities = try source.authorities().map { IssuerAuthority($0) }
    documentSigners = try source.certifiedKeys(.documentSigner)
    statusSigners = try source.certifiedKeys(.statusSigner)
    try source.checkRolesAreApart(offline: configurationOffline)
  }
}

extension KeySource {
  fileprivate func signers(_ role: KeyRole) throws(FileProblem) -> SigningKeyRing {
    try ring(role) { try? Ed25519Signer(seed: $0) }
  }

  /// The keys of a role with their chains; the current one must have one.
  fileprivate func certifiedKeys(_ role: KeyRole) throws(FileProblem) -> KeyRing<CertifiedKey> {
    let signers = try p256Signers(role)
    let chains = try chains(role)
    var keys: [CertifiedKey] = []
    for signer in signers {
      guard let chain = chains.first(where: { $0.first?.point == signer.subject.rawKey }) else {
        guard !keys.isEmpty else { throw missingChain(role, signer.id) }
        continue
      }
      keys.append(
        CertifiedKey(
          signer: signer, chain: chain.map(\.der), notAfter: chain.map(\.notAfter).min() ?? 0))
    }
    guard let ring = KeyRing(keys) else { throw missingChain(role, "") }
    return ring
  }

  fileprivate func useKeys() throws(FileProblem) -> UseKeys {
    let ring = try ring(.use) { EncryptionKey(secretKey: $0) }
    let secrets = try findRetired(.use).map(\.secret)
    let retired = secrets.compactMap { EncryptionKey(secretKey: $0) }
    guard retired.count == secrets.count else {
      throw FileProblem("the retired keys of \(name(.use)) are not keys of this role")
    }
    return UseKeys(ring: ring, retired: retired)
  }

  fileprivate func ring<Key>(
    _ role: KeyRole, _ make: ([UInt8]) -> Key?
  ) throws(FileProblem) -> KeyRing<Key> {
    let secrets = try findOrMake(role).entries.map(\.secret)
    let keys = secrets.compactMap(make)
    guard keys.count == secrets.count, let ring = KeyRing(keys) else {
      throw FileProblem("\(name(role)) does not hold keys of this role")
    }
    return ring
  }
}
