public import WalletProtocol

/// The signed configuration as it is served, byte for byte.
public struct PublishedConfiguration: Sendable, Equatable {
  /// What it says.
  public let claims: ConfigurationClaims
  /// The compact JWS.
  public let compact: String
  /// A strong entity tag, with its quotes: the hash of the bytes.
  public let entityTag: String
  /// The id of the key that signed it.
  let signingKeyID: String?

  private init(claims: ConfigurationClaims, compact: String, signingKeyID: String?) {
    self.claims = claims
    self.compact = compact
    self.signingKeyID = signingKeyID
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
    self.init(claims: claims, compact: message.compact, signingKeyID: key.id)
  }

  /// The configuration for `settings` and the keys: the one in the file if that says the same and is
  /// signed by a key in use, else the next version, which is on disk when this returns.
  init(
    path: String, identity: ProviderIdentity, settings: ProviderSettings
  ) throws(FileProblem) {
    var lost: ConfigurationClaims?
    if let content = try PrivateFile.read(path, secret: false) {
      lost = Self.claimsOfLostKey(String(decoding: content, as: UTF8.self), identity: identity)
    }
    let published =
      lost == nil ? try PublishedConfiguration(path: path, keys: identity.keys) : nil
    guard
      let next = PublishedConfiguration(
        after: published, lost: lost, identity: identity, settings: settings)
    else { throw FileProblem("no further configuration could be signed for \(path)") }
    if next != published {
      try PrivateFile.write(Array(next.compact.utf8), to: path, replace: true)
    }
    self = next
  }

  /// The configuration for `settings`: `published` if that says the same, else the next version. Nil at
  /// the highest version there is.
  ///
  /// - Parameter lost: what a lost key signed, in place of `published`.
  init?(
    after published: PublishedConfiguration?, lost: ConfigurationClaims? = nil,
    identity: ProviderIdentity, settings: ProviderSettings
  ) {
    let keys = identity.keys
    var claims = Self.claims(
      version: published?.claims.configurationVersion ?? lost?.configurationVersion ?? 0,
      identity: identity, settings: settings)
    if let published, published.claims == claims, published.isSigned(byCurrent: keys) {
      self = published
      return
    }
    let (next, overflow) = claims.configurationVersion.addingReportingOverflow(1)
    claims.configurationVersion = next
    guard !overflow,
      let compact = try? SignedMessage.sign(
        claims, type: .configuration, signer: keys.configurationSigning)
    else { return nil }
    self.init(
      claims: claims, compact: compact, signingKeyID: keys.configurationSigning.keyID)
  }

  /// What `compact` says where it is this provider's and a key signed it that is here no more, and the
  /// offline key signs in its place: it goes on with the version after it. Nothing but the version is
  /// taken. For any other key, this may be a directory with keys of somebody else.
  static func claimsOfLostKey(
    _ compact: String, identity: ProviderIdentity
  ) -> ConfigurationClaims? {
    guard let message = try? SignedMessage(parsing: compact),
      identity.keys.configurationSigning.current.id == identity.keys.offlineKey.id,
      !identity.keys.configurationSigningKeys.contains(where: { $0.id == message.keyID }),
      let claims = try? message.unverifiedContent(ConfigurationClaims.self),
      claims.providerID == identity.id
    else { return nil }
    return claims
  }

  /// Whether a key that is in use signed it. One that a former key signed is signed anew, so that the
  /// key can be retired.
  private func isSigned(byCurrent keys: ProviderKeys) -> Bool {
    [keys.configurationSigning.current.id, keys.offlineKey.id].contains(signingKeyID)
  }

  /// What is said with `settings`.
  static func claims(
    version: UInt64, identity: ProviderIdentity, settings: ProviderSettings
  ) -> ConfigurationClaims {
    let keys = identity.keys
    return ConfigurationClaims(
      configurationVersion: version, providerID: identity.id,
      resultKeys: keys.result.published, certificateKeys: keys.certificate.published,
      encryptionKeys: keys.encryption.published, issuerKeys: keys.issuer.published,
      proofingHosts: settings.proofingHosts,
      inactiveTimeoutMilliseconds: UInt64(clamping: settings.inactiveTimeout),
      inactiveWarningMilliseconds: UInt64(clamping: settings.inactiveWarning),
      backgroundTimeoutMilliseconds: UInt64(clamping: settings.backgroundTimeout),
      pinKeyPasses: UInt32(clamping: settings.pinKeyPasses),
      pinKeyMemoryBytes: UInt64(clamping: settings.pinKeyMemoryBytes))
  }
}
