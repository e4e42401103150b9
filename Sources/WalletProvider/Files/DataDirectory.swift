import WalletSignatures
public import WalletProtocol

/// The directory that holds everything a provider must not lose: keys, id, published configuration
/// and, unless PostgreSQL is used, the database.
///
/// Replicas are servers that share a PostgreSQL database. Each has an equal directory, with the
/// same keys and the same id. Their configuration is in the database, so that all of them serve the
/// same one and its version only increases. A configuration file in the directory is read only
/// once, for the version that the first configuration in the database must exceed.
public struct DataDirectory: Sendable {
  /// The path as it was given.
  public let path: String
  /// The provider's id and keys.
  public let identity: ProviderIdentity
  /// The configuration when the directory was opened.
  public let configuration: PublishedConfiguration
  /// The source of the configuration that is served to clients.
  public let configurationSource: any ConfigurationSource

  /// The host for enrolment links according to the published configuration; nil if it names none.
  public var proofingHost: String? { configuration.claims.proofingHosts.first }

  /// The path of the SQLite database.
  public var databasePath: String { Self.databasePath(in: path) }

  /// The path of the SQLite database in a directory that was not opened.
  public static func databasePath(in path: String) -> String { path + "/wallet-provider.sqlite" }

  /// The path of the rules for app versions; the file is optional.
  public var updatePolicyPath: String { path + "/update-policy.json" }

  /// Opens `path` and makes what is missing. Any number of processes may do so at the same time.
  ///
  /// - Parameters:
  ///   - settings: the settings published to clients.
  ///   - publish: false to leave an existing configuration and existing certificates unchanged,
  ///     whatever the settings.
  ///   - now: seconds since 1970, for the validity of certificates.
  /// - Throws: `FileProblem` that names the file and, if there is one, the command that fixes it.
  public init(
    path: String, settings: ProviderSettings, publish: Bool = true,
    now: Int64 = SystemWallClock().now / 1000
  ) throws(FileProblem) {
    try Self.prepare(path)
    let lock = try DirectoryLock(directory: path)
    identity = try Self.identity(path, settings, isServed: publish, now: now)
    let configurationPath = Self.configurationPath(path)
    if !publish, let kept = try PublishedConfiguration(path: configurationPath, keys: identity.keys)
    {
      configuration = kept
    } else {
      configuration = try PublishedConfiguration(
        path: configurationPath, identity: identity, settings: settings)
    }
    configurationSource = configuration
    self.path = path
    _ = consume lock
  }

  /// Opens `path` with the configuration in `table`, which replicas share. A configuration is
  /// published only while a server starts, never later. Among replicas with different settings, the
  /// one that started last decides.
  ///
  /// - Parameter interval: how often the table is checked for a configuration from another replica.
  /// - Throws: `FileProblem`, and `StoreFailure`, also for a table of another provider.
  public init(
    path: String, settings: ProviderSettings, publish: Bool = true,
    sharing table: any ConfigurationTable, pollingEvery interval: Duration = .seconds(2)
  ) async throws {
    self.path = path
    try await Self.checkBelonging(of: path, to: table)
    identity = try Self.lockedIdentity(
      path, settings, isServed: publish, now: SystemWallClock().now / 1000)
    configuration = try await PublishedConfiguration(
      sharedIn: table, identity: identity, settings: settings, publish: publish
    ) { [identity] in
      try PublishedConfiguration(path: Self.configurationPath(path), keys: identity.keys)
    }
    configurationSource = ReplicatedConfiguration(
      configuration, in: table, identity: identity, pollingEvery: interval)
  }

  /// Makes `path` if it does not exist, and throws if it must not hold secrets.
  package static func prepare(_ path: String) throws(FileProblem) {
    if let problem = problems(of: path).first { throw problem }
    try PrivateFile.createDirectory(path)
  }

  private static func lockedIdentity(
    _ path: String, _ settings: ProviderSettings, isServed: Bool, now: Int64
  ) throws(FileProblem) -> ProviderIdentity {
    try prepare(path)
    let lock = try DirectoryLock(directory: path)
    let identity = try identity(path, settings, isServed: isServed, now: now)
    _ = consume lock
    return identity
  }

  /// Throws if the table has a provider and the directory has none. Without this check, a second
  /// provider would be made in the directory.
  private static func checkBelonging(
    of path: String, to table: any ConfigurationTable
  ) async throws {
    func hasProvider() throws(FileProblem) -> Bool {
      try PrivateFile.read(idPath(path), secret: false) != nil
    }
    guard try !hasProvider() else { return }
    do {
      // No provider has the id "", so this throws if the table has any provider.
      _ = try await table.configuration(ofProvider: "")
    } catch {
      // Another process may have made the provider in this directory in the meantime.
      guard try hasProvider() else { throw error }
    }
  }

  /// Reads the provider in `path`, or makes one. The provider's id is written after all its keys.
  /// If there is an id and a key is missing, the key was lost, and no other is made in its place.
  ///
  /// - Parameter isServed: whether certificates are renewed, and must be valid.
  private static func identity(
    _ path: String, _ settings: ProviderSettings, isServed: Bool, now: Int64
  ) throws(FileProblem) -> ProviderIdentity {
    let directory = path + "/keys"
    guard try PrivateFile.read(idPath(path), secret: false) == nil else {
      guard isServed else { return try existingIdentity(path) }
      try CertificateRenewal(
        source: KeySource(directory: directory, environment: .process, makesMissing: false),
        names: IssuerNames(settings), now: now
      ).run()
      let identity = try existingIdentity(path)
      try identity.keys.checkChains(settings, now: now)
      return identity
    }
    let keys = try ProviderKeys(directory: directory, settings: settings, now: now)
    try keys.checkChains(settings, now: now)
    return ProviderIdentity(id: try providerID(idPath(path)), keys: keys)
  }

  private static func idPath(_ path: String) -> String { path + "/provider-id" }

  private static func configurationPath(_ path: String) -> String { path + "/configuration.jwt" }

  /// Opens `path` without making or changing anything.
  ///
  /// - Parameter shared: the configuration in the database that replicas share; nil to read the
  ///   file.
  /// - Throws: `FileProblem`, also for missing files.
  public init(existing path: String, shared: String? = nil) throws(FileProblem) {
    identity = try Self.existingIdentity(path)
    let keys = identity.keys
    let configurationPath = Self.configurationPath(path)
    let published: PublishedConfiguration?
    if let shared {
      published = PublishedConfiguration(compact: shared, keys: keys)
      guard published != nil else {
        throw FileProblem("these keys did not sign the configuration in the database")
      }
    } else {
      published = try PublishedConfiguration(path: configurationPath, keys: keys)
    }
    guard let published else { throw FileProblem("there is no file \(configurationPath)") }
    configuration = published
    configurationSource = published
    self.path = path
  }

  /// Reads the id and keys in `path` without making any.
  ///
  /// - Throws: `FileProblem`, also for missing files.
  public static func existingIdentity(_ path: String) throws(FileProblem) -> ProviderIdentity {
    let keys = try ProviderKeys(existing: path + "/keys")
    let idPath = idPath(path)
    guard try PrivateFile.read(idPath, secret: false) != nil else {
      throw FileProblem("there is no file \(idPath)")
    }
    return ProviderIdentity(id: try providerID(idPath), keys: keys)
  }

  /// The configuration that a start with `settings` would publish, with the current version.
  public func configuration(for settings: ProviderSettings) -> ConfigurationClaims {
    PublishedConfiguration.claims(
      version: configuration.claims.configurationVersion, identity: identity, settings: settings)
  }

  /// Whether a configuration of the provider in `path` was published.
  ///
  /// - Parameter table: the configuration that replicas share; nil to look for the file.
  package static func hasConfiguration(
    _ path: String, in table: (any ConfigurationTable)? = nil
  ) async throws -> Bool {
    guard let table else { return FileFacts(configurationPath(path)) != nil }
    guard let identity = try? existingIdentity(path) else { return false }
    return try await table.configuration(ofProvider: identity.id) != nil
  }

  private static func providerID(_ path: String) throws(FileProblem) -> String {
    if let content = try PrivateFile.read(path, secret: false) {
      let line = String(decoding: content, as: UTF8.self).split(separator: "\n").first ?? ""
      guard Base64URL.decode(line)?.count == 16 else {
        throw FileProblem("\(path) does not hold a provider id: 16 bytes as base64url")
      }
      return String(line)
    }
    let id = SecureRandom.identifier()
    try PrivateFile.write(Array((id + "\n").utf8), to: path, replace: false)
    return id
  }
}
