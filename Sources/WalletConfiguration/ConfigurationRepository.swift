public import WalletModel
public import WalletPlatform
public import WalletProtocol
public import WalletStorage
public import WalletTrust

/// The configuration in force: the newest one that was verified, stored on disk with its ETag.
public final class ConfigurationRepository: Sendable {
  /// The name of the file in the storage path. The file outlives a wipe, so that a later wallet
  /// does not accept an older version.
  public static let fileName = "configuration.json"

  private struct State: Sendable {
    var claims: ConfigurationClaims
    /// Those of `claims`, once they were needed: most starts need no certificate.
    var trustAnchors: TrustAnchors?
    /// The base64url SHA-256 of the compact JWS with `claims`.
    var hash: String
    var etag: String?
    var version: UInt64 = 1
    var directory: StorageDirectory?
    /// What the provider has sent in this process.
    var fetched: StoredConfiguration?
  }

  private let anchor: ConfigurationAnchor
  private let log: Log
  private let state: Monitor<State>
  private let turn = WritingTurn()
  private let onChange: @Sendable (Versioned<HostConfiguration>) -> Void

  /// Creates a repository with the embedded configuration.
  ///
  /// - Parameter onChange: Called after each accepted change with no lock held.
  public init(
    anchor: ConfigurationAnchor, log: Log,
    onChange: @escaping @Sendable (Versioned<HostConfiguration>) -> Void
  ) {
    self.anchor = anchor
    self.log = log
    self.onChange = onChange
    state = Monitor(State(claims: anchor.embedded, hash: anchor.embeddedHash))
  }

  /// The configuration in force.
  public var current: ConfigurationClaims { state.withLock { $0.claims } }

  /// The trust anchors of the configuration in force, as far as this version can read them.
  public var trustAnchors: TrustAnchors {
    let (known, claims, version) = state.withLock { ($0.trustAnchors, $0.claims, $0.version) }
    if let known { return known }
    // Without the lock: reading takes time.
    let anchors = Self.trustAnchors(of: claims, log: log)
    state.withLock { state in
      if state.version == version { state.trustAnchors = anchors }
    }
    return anchors
  }

  /// The authorities that may certify the hosts of other parties for TLS, as PEM; nil for those of
  /// the system. Empty if the configuration names some but none counts: then no host is trusted.
  ///
  /// - Parameter now: seconds since 1970.
  public func hostAuthorities(at now: Int64) -> [UInt8]? {
    let role = TrustRole.host
    let areNamed = state.withLock { state in
      state.claims.trustAnchors.contains { $0.role == role.rawValue }
    }
    return areNamed ? trustAnchors.pem(role: role, now: now) : nil
  }

  /// The configuration in force, and the hash by which update policies name it.
  var currentWithHash: (ConfigurationClaims, hash: String) {
    state.withLock { ($0.claims, $0.hash) }
  }

  /// Returns what `body` reads in the configuration, without copying all of it.
  public func read<Result>(_ body: (ConfigurationClaims) -> Result) -> Result {
    state.withLock { body($0.claims) }
  }

  /// The part that hosts see, with its version.
  public var hostConfiguration: Versioned<HostConfiguration> {
    state.withLock { Self.hostConfiguration($0) }
  }

  /// The ETag of the stored body.
  public var etag: String? { state.withLock { $0.etag } }

  /// Returns `tag` if it belongs to the body with that hash, otherwise nil. The provider's tags are
  /// the quoted base64url SHA-256 of the body. The check is needed because the header is not
  /// signed: a tag of another body ("*", or that of the next configuration) would keep the wallet
  /// on this configuration for ever.
  private static func checked(_ tag: String?, hash: String) -> String? {
    tag == "\"" + hash + "\"" ? tag : nil
  }

  /// Reads the file of an earlier run. An unreadable file, or one with an older configuration, is
  /// ignored. The embedded configuration then stays, without an ETag, so that the next fetch
  /// returns a complete new one. One that was fetched before this call is stored, unless the file has
  /// a newer one.
  public func load(from directory: StorageDirectory) {
    let changed = turn.whileTaken { () -> Versioned<HostConfiguration>? in
      let stored = stored(in: directory)
      let fetched = state.withLock { state in
        state.directory = directory
        return state.fetched.map { ($0, state.claims) }
      }
      if let (fetched, claims) = fetched,
        claims.configurationVersion >= stored?.claims.configurationVersion ?? 0
      {
        // It was fetched before the directory was known, so it is not stored yet.
        do throws(WalletError) { try Self.write(fetched, to: directory) } catch {
          log(.info, "configuration", "The configuration could not be stored: \(error.message)")
          // The next fetch must return a complete body, which is then stored.
          state.withLock { $0.etag = nil }
        }
        return nil
      }
      return stored.flatMap { take($0.claims, $0.stored) }
    }
    if let changed { onChange(changed) }
  }

  private func stored(
    in directory: StorageDirectory
  ) -> (stored: StoredConfiguration, claims: ConfigurationClaims)? {
    guard let bytes = try? directory.readFile(Self.fileName, limit: 512 * 1024) else { return nil }
    guard var stored = try? WireJSON.decode(StoredConfiguration.self, from: bytes),
      let claims = try? anchor.verify(stored.configuration)
    else {
      log(
        .warning, "configuration", "The stored configuration is unreadable; using the embedded one."
      )
      return nil
    }
    stored.etag = Self.checked(
      stored.etag, hash: ConfigurationAnchor.hash(of: stored.configuration))
    return (stored, claims)
  }

  /// The result of accepting a fetched configuration.
  public enum Acceptance: Equatable, Sendable { case newer, unchanged, refused }

  /// Accepts a fetched configuration that is verified and not older than the known one: stores it
  /// on disk, then puts it in force. On any failure nothing changes, including the ETag.
  ///
  /// Two with the same version differ only in `validUntil`, and the last one received counts. If it
  /// expires earlier, it is only fetched again sooner.
  public func accept(_ compact: String, etag: String?) throws(WalletError) -> Acceptance {
    guard let claims = try? anchor.verify(compact) else {
      log(.warning, "configuration", "A fetched configuration does not verify; ignored.")
      return .refused
    }
    let fetched = StoredConfiguration(
      etag: Self.checked(etag, hash: ConfigurationAnchor.hash(of: compact)),
      configuration: compact)
    // In one turn, so that what it is compared with is what it replaces.
    let (acceptance, changed) = try turn.whileTaken {
      () throws(WalletError) -> (Acceptance, Versioned<HostConfiguration>?) in
      let (known, directory) = state.withLock { ($0.claims, $0.directory) }
      guard
        claims.configurationVersion > known.configurationVersion || claims.isSame(as: known)
      else { return (.refused, nil) }
      if let directory { try Self.write(fetched, to: directory) }
      let changed = take(claims, fetched)
      state.withLock { $0.fetched = fetched }
      return (changed == nil ? .unchanged : .newer, changed)
    }
    if acceptance == .refused {
      log(
        .warning, "configuration", "A fetched configuration is older than the known one; ignored.")
    }
    if let changed { onChange(changed) }
    return acceptance
  }

  private static func write(
    _ stored: StoredConfiguration, to directory: StorageDirectory
  ) throws(WalletError) {
    guard let file = try? WireJSON.encode(stored) else {
      throw WalletError(.internalDefect, "The configuration could not be encoded.")
    }
    try directory.replaceFile(fileName, with: file)
  }

  /// Puts a configuration in force if it is newer than the known one or a renewal of it. Returns
  /// what hosts see of a newer configuration. Returns nil for a renewal, which is not new to hosts.
  private func take(
    _ claims: ConfigurationClaims, _ stored: StoredConfiguration
  ) -> Versioned<HostConfiguration>? {
    let hash = ConfigurationAnchor.hash(of: stored.configuration)
    return state.withLock { state in
      let isNewer = claims.configurationVersion > state.claims.configurationVersion
      guard isNewer || claims.isSame(as: state.claims) else { return nil }
      state.claims = claims
      state.hash = hash
      state.etag = stored.etag
      guard isNewer else { return nil }
      state.trustAnchors = nil
      state.version += 1
      return Self.hostConfiguration(state)
    }
  }

  /// Reads the anchors. The log gets nothing of what an entry says.
  private static func trustAnchors(of claims: ConfigurationClaims, log: Log) -> TrustAnchors {
    let (anchors, unreadable) = TrustAnchors.readable(in: claims.trustAnchors)
    if unreadable > 0 {
      log(
        .warning, "configuration",
        "Unreadable trust anchors of the configuration, which do not count: \(unreadable).")
    }
    return anchors
  }

  private static func hostConfiguration(_ state: State) -> Versioned<HostConfiguration> {
    Versioned(
      HostConfiguration(
        version: state.claims.configurationVersion,
        inactiveTimeoutMilliseconds: state.claims.inactiveTimeoutMilliseconds,
        inactiveWarningMilliseconds: state.claims.inactiveWarningMilliseconds,
        backgroundTimeoutMilliseconds: state.claims.backgroundTimeoutMilliseconds,
        proofingHosts: state.claims.proofingHosts),
      version: state.version)
  }
}
