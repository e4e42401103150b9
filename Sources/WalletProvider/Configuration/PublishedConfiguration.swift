import WalletSignatures
public import WalletProtocol

/// The signed configuration. The stored one has no `valid_until`. Clients get it signed again with
/// a `valid_until`; see `renewed`.
public struct PublishedConfiguration: Sendable, Equatable {
  /// The decoded claims.
  public let claims: ConfigurationClaims
  /// The compact JWS.
  public let compact: String
  /// A strong entity tag, including its quotes: the hash of the bytes.
  public var entityTag: String { "\"" + hash + "\"" }
  /// The base64url SHA-256 of the bytes.
  let hash: String
  /// The id of the signing key.
  let signingKeyID: String?

  private init(claims: ConfigurationClaims, compact: String, signingKeyID: String?) {
    self.claims = claims
    self.compact = compact
    self.signingKeyID = signingKeyID
    hash = Base64URL.encode(Digest.sha256(compact.utf8))
  }

  /// This configuration signed again, under the same version, to be valid until `validUntil`.
  ///
  /// The result follows from the arguments alone, because an Ed25519 signature is deterministic:
  /// replicas with equal keys make equal bytes without knowing of each other.
  func renewed(
    until validUntil: Int64, by keys: ProviderKeys
  ) throws -> PublishedConfiguration {
    var claims = claims
    claims.validUntil = validUntil
    let signer = keys.configurationSigning
    return PublishedConfiguration(
      claims: claims,
      compact: try SignedMessage.sign(claims, type: .configuration, signer: signer),
      signingKeyID: signer.keyID)
  }

  /// Reads the configuration from a file; nil if there is no file.
  ///
  /// - Throws: `FileProblem` if the file is not a configuration signed by these keys. It must not
  ///   be replaced by a new version 1: every wallet that has seen a higher version would refuse
  ///   that.
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

  /// Parses a compact JWS; nil if it is not a configuration signed by these keys.
  init?(compact: String, keys: ProviderKeys) {
    guard let message = try? SignedMessage(parsing: compact),
      let key = keys.configurationSigningKeys.first(where: { $0.id == message.keyID }),
      let raw = Base64URL.decode(key.key), let verifier = PublicKeyVerifier(ed25519: raw),
      let claims = try? message.content(
        ConfigurationClaims.self, type: .configuration, verifier: verifier)
    else { return nil }
    self.init(claims: claims, compact: message.compact, signingKeyID: key.id)
  }

  /// The configuration for `settings` and the keys. It is the one in the file, if its claims are
  /// the same and a key in use signed it. Otherwise it is the next version, which is on disk when
  /// this returns.
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

  /// The configuration for `settings`: `published` if its claims are the same, otherwise the next
  /// version. Nil if the highest possible version was reached.
  ///
  /// - Parameter lost: the claims of the former configuration if its signing key was lost;
  ///   `published` is then nil.
  init?(
    after published: PublishedConfiguration?, lost: ConfigurationClaims? = nil,
    identity: ProviderIdentity, settings: ProviderSettings
  ) {
    let keys = identity.keys
    var claims = Self.claims(
      version: published?.claims.configurationVersion ?? lost?.configurationVersion ?? 0,
      identity: identity, settings: settings)
    if let published, published.claims.isSame(as: claims), published.isSigned(byCurrent: keys) {
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

  /// The claims in `compact`, if they are this provider's and were signed with a key that is lost,
  /// and the offline key now signs in its place. Their signature is not verified, so only the
  /// version is used: the new configuration has the next one. If a key other than the offline key
  /// signs now, the directory might hold somebody else's keys, so the result is nil.
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

  /// Whether the current key or the offline key signed this configuration. One that a former key
  /// signed is signed again, so that the former key can be retired.
  private func isSigned(byCurrent keys: ProviderKeys) -> Bool {
    [keys.configurationSigning.current.id, keys.offlineKey.id].contains(signingKeyID)
  }

  /// The claims for `settings`.
  static func claims(
    version: UInt64, identity: ProviderIdentity, settings: ProviderSettings
  ) -> ConfigurationClaims {
    let keys = identity.keys
    return ConfigurationClaims(
      configurationVersion: version, providerID: identity.id,
      resultKeys: keys.result.published, certificateKeys: keys.certificate.published,
      encryptionKeys: keys.encryption.published, useKeys: keys.use.published,
      evaluatorKeys: settings.evaluatorKeys, pidType: settings.pidType,
      trustAnchors: keys.trustAnchors(settings), proofingHosts: settings.proofingHosts,
      inactiveTimeoutMilliseconds: UInt64(clamping: settings.inactiveTimeout),
      inactiveWarningMilliseconds: UInt64(clamping: settings.inactiveWarning),
      backgroundTimeoutMilliseconds: UInt64(clamping: settings.backgroundTimeout),
      pinKeyPasses: UInt32(clamping: settings.pinKeyPasses),
      pinKeyMemoryBytes: UInt64(clamping: settings.pinKeyMemoryBytes))
  }
}
