public import WalletProtocol

/// The signed configuration as it is served, byte for byte.
public struct PublishedConfiguration: Sendable, Equatable {
  /// What it says.
  public let claims: ConfigurationClaims
  /// The compact JWS.
  public let compact: String
  /// A strong entity tag, with its quotes: the hash of the bytes.
  public let entityTag: String

  private init(claims: ConfigurationClaims, compact: String) {
    self.claims = claims
    self.compact = compact
    entityTag = "\"" + Base64URL.encode(Digest.sha256(compact.utf8)) + "\""
  }

  /// What the file holds; nil when there is none.
  ///
  /// - Throws: `FileProblem` when the file is not a configuration that these keys signed. Starting
  ///   over at version 1 would be refused by every wallet that has seen a higher one.
  init?(path: String, keys: ProviderKeys) throws(FileProblem) {
    guard let content = try PrivateFile.read(path, secret: false) else { return nil }
    guard
      let kept = PublishedConfiguration(
        compact: String(decoding: content, as: UTF8.self), keys: keys)
    else {
      throw FileProblem(
        "\(path) is not a configuration signed by the keys beside it. Restore it from a backup;"
          + " it holds the version that must only increase.")
    }
    self = kept
  }

  /// Nil for what is not a configuration that these keys signed.
  init?(compact: String, keys: ProviderKeys) {
    guard let message = try? SignedMessage(parsing: compact),
      let key = keys.configurationSigningKeys.first(where: { $0.id == message.keyID }),
      let raw = Base64URL.decode(key.key), let verifier = PublicKeyVerifier(ed25519: raw),
      let claims = try? message.content(
        ConfigurationClaims.self, type: .configuration, verifier: verifier)
    else { return nil }
    self.init(claims: claims, compact: message.compact)
  }

  /// The configuration for `settings`: the one in the file if that says the same, else the next
  /// version, which is on disk when this returns.
  init(
    path: String, identity: ProviderIdentity, settings: ProviderSettings
  ) throws(FileProblem) {
    let published = try PublishedConfiguration(path: path, keys: identity.keys)
    guard
      let next = PublishedConfiguration(after: published, identity: identity, settings: settings)
    else { throw FileProblem("no further configuration could be signed for \(path)") }
    if next != published {
      try PrivateFile.write(Array(next.compact.utf8), to: path, replace: true)
    }
    self = next
  }

  /// The configuration for `settings`: `published` if that says the same, else the next version. Nil at
  /// the highest version there is.
  init?(
    after published: PublishedConfiguration?, identity: ProviderIdentity,
    settings: ProviderSettings
  ) {
    let keys = identity.keys
    var claims = Self.claims(
      version: published?.claims.configurationVersion ?? 0, identity: identity, settings: settings)
    if let published, published.claims == claims {
      self = published
      return
    }
    let (next, overflow) = claims.configurationVersion.addingReportingOverflow(1)
    claims.configurationVersion = next
    guard !overflow,
      let compact = try? SignedMessage.sign(
        claims, type: .configuration, signer: keys.configurationSigning)
    else { return nil }
    self.init(claims: claims, compact: compact)
  }

  /// What is said with `settings`.
  static func claims(
    version: UInt64, identity: ProviderIdentity, settings: ProviderSettings
  ) -> ConfigurationClaims {
    let keys = identity.keys
    return ConfigurationClaims(
      configurationVersion: version, providerID: identity.id,
      resultKeys: [keys.result.published], certificateKeys: [keys.certificate.published],
      encryptionKeys: [keys.encryption.published], issuerKeys: [keys.issuer.published],
      proofingHosts: settings.proofingHosts,
      inactiveTimeoutMilliseconds: UInt64(clamping: settings.inactiveTimeout),
      inactiveWarningMilliseconds: UInt64(clamping: settings.inactiveWarning),
      backgroundTimeoutMilliseconds: UInt64(clamping: settings.backgroundTimeout),
      pinKeyPasses: UInt32(clamping: settings.pinKeyPasses),
      pinKeyMemoryBytes: UInt64(clamping: settings.pinKeyMemoryBytes))
  }
}
