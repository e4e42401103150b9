internal import WalletCrypto
public import WalletModel
public import WalletPlatform
public import WalletProtocol
public import WalletStorage

/// The configuration in force: the newest one that was verified, kept on disk with its ETag.
public final class ConfigurationRepository: Sendable {
  /// The file, in the storage path. It outlives a wipe, so that a version never goes back.
  public static let fileName = "configuration.json"

  private struct State: Sendable {
    var claims: ConfigurationClaims
    var etag: String?
    var version: UInt64 = 1
    var directory: StorageDirectory?
  }

  private let anchor: TrustAnchor
  private let log: Log
  private let state: Monitor<State>
  private let onChange: @Sendable (Versioned<HostConfiguration>) -> Void

  /// Starts with the embedded configuration.
  ///
  /// - Parameter onChange: Called after each accepted change, with no lock held.
  public init(
    anchor: TrustAnchor, log: Log,
    onChange: @escaping @Sendable (Versioned<HostConfiguration>) -> Void
  ) {
    self.anchor = anchor
    self.log = log
    self.onChange = onChange
    state = Monitor(State(claims: anchor.embedded))
  }

  /// The configuration in force.
  public var current: ConfigurationClaims { state.withLock { $0.claims } }

  /// What `body` reads in it: less than a copy of the whole.
  public func read<Result>(_ body: (ConfigurationClaims) -> Result) -> Result {
    state.withLock { body($0.claims) }
  }

  /// What hosts see of it, with the number of its change.
  public var hostConfiguration: Versioned<HostConfiguration> {
    state.withLock { Self.hostConfiguration($0) }
  }

  /// The ETag of the body on disk.
  public var etag: String? { state.withLock { $0.etag } }

  /// `tag`, if it is the one that belongs to `compact`: the provider's tags are the quoted base64url
  /// SHA-256 of the body. The header is unsigned; a tag that named another body ("*", or the next
  /// configuration's) would pin the wallet to this one for good.
  private static func checked(_ tag: String?, of compact: String) -> String? {
    let own = "\"" + Base64URL.encode(Hash.sha256(Array(compact.utf8))) + "\""
    return tag == own ? own : nil
  }

  /// Reads the file of an earlier run. An unreadable or older one is passed over: the embedded
  /// configuration stays, without an ETag, so the next fetch brings a whole new one.
  public func load(from directory: StorageDirectory) {
    state.withLock { $0.directory = directory }
    guard let bytes = try? directory.readFile(Self.fileName, limit: 512 * 1024) else { return }
    guard let stored = try? WireJSON.decode(StoredConfiguration.self, from: bytes),
      let claims = try? anchor.verify(stored.configuration)
    else {
      log(.warning, "configuration", "The stored configuration is unreadable; using the embedded.")
      return
    }
    let changed = state.withLock { state -> Versioned<HostConfiguration>? in
      guard claims.configurationVersion >= state.claims.configurationVersion else { return nil }
      let isNewer = claims.configurationVersion > state.claims.configurationVersion
      state.etag = Self.checked(stored.etag, of: stored.configuration)
      guard isNewer else { return nil }
      state.claims = claims
      state.version += 1
      return Self.hostConfiguration(state)
    }
    if let changed { onChange(changed) }
  }

  /// What became of a fetched configuration.
  public enum Acceptance: Equatable, Sendable { case newer, unchanged, refused }

  /// Takes a fetched configuration in: verified, not older than what is known, on disk, then in
  /// force. On any failure everything stays as it was, also the ETag.
  public func accept(_ compact: String, etag: String?) throws(WalletError) -> Acceptance {
    let etag = Self.checked(etag, of: compact)
    guard let claims = try? anchor.verify(compact) else {
      log(.warning, "configuration", "A fetched configuration does not verify; ignored.")
      return .refused
    }
    let (known, directory) = state.withLock { ($0.claims, $0.directory) }
    guard claims.configurationVersion >= known.configurationVersion,
      claims.configurationVersion > known.configurationVersion || claims == known
    else {
      log(
        .warning, "configuration", "A fetched configuration is older than the known one; ignored.")
      return .refused
    }
    if let directory {
      let file: [UInt8]
      do {
        file = try WireJSON.encode(StoredConfiguration(etag: etag, configuration: compact))
      } catch { throw WalletError(.internalDefect, "The configuration could not be encoded.") }
      try directory.replaceFile(Self.fileName, with: file)
    }
    let changed = state.withLock { state -> Versioned<HostConfiguration>? in
      guard claims.configurationVersion >= state.claims.configurationVersion else { return nil }
      state.etag = etag
      guard claims != state.claims else { return nil }
      state.claims = claims
      state.version += 1
      return Self.hostConfiguration(state)
    }
    guard let changed else { return .unchanged }
    onChange(changed)
    return .newer
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
