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
  /// Signs PIDs.
  let issuer: SigningKeyRing
  /// Opens what wallets seal: PIN instructions, enrolment codes, evidence.
  let encryption: EncryptionKeyRing
  /// Opens what wallets need to use copies of cards.
  package let use: UseKeys
  /// Seals PIN public keys, unlock shares and personal data in the database.
  let sealing: SealingKeyRing

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
  /// - Throws: `FileProblem` that names the file or variable.
  init(
    directory: String, environment: KeyEnvironment = .process
  ) throws(FileProblem) {
    try self.init(KeySource(directory: directory, environment: environment))
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
    issuer = try source.signers(.issuer)
    encryption = try source.ring(.encryption) { EncryptionKey(secretKey: $0) }
    use = try source.useKeys()
    sealing = try source.ring(.sealing) { SoftwareSealingKey($0) }
    try source.checkRolesAreApart(offline: configurationOffline)
  }
}

extension KeySource {
  fileprivate func signers(_ role: KeyRole) throws(FileProblem) -> SigningKeyRing {
    try ring(role) { try? Ed25519Signer(seed: $0) }
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
