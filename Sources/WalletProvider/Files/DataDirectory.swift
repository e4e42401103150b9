public import WalletProtocol

/// The directory that holds all that a provider must not lose: keys, id, published configuration
/// and, unless it is elsewhere, the database.
///
/// Replicas on one database have equal directories each: the same keys and the same id. Their
/// configuration lies in the database, so that all serve the same one and its version only increases;
/// a file of it in the directory is looked at once, for the version that the first one must exceed.
public struct DataDirectory: Sendable {
  /// As it was given.
  public let path: String
  /// The provider's id and keys.
  public let identity: ProviderIdentity
  /// What was served to clients when the directory was opened.
  public let configuration: PublishedConfiguration
  /// What is served to clients.
  public let configurationSource: any ConfigurationSource

  /// The host that enrolment links name, by the published configuration; nil when it names none.
  public var proofingHost: String? { configuration.claims.proofingHosts.first }

  /// Where the SQLite database lies.
  public var databasePath: String { Self.databasePath(in: path) }

  /// The same for a directory that was not opened.
  public static func databasePath(in path: String) -> String { path + "/wallet-provider.sqlite" }

  /// Where the rules for app versions lie, if there are any.
  public var updatePolicyPath: String { path + "/update-policy.json" }

  /// Opens `path` and makes what is missing. Any number of processes may do so at once.
  ///
  /// - Parameters:
  ///   - settings: what the configuration says to clients.
  ///   - publish: false leaves a configuration that is there as it is, whatever the settings.
  /// - Throws: `FileProblem` that names the file and, where there is one, the command to mend it.
  public init(
    path: String, settings: ProviderSettings, publish: Bool = true
  ) throws(FileProblem) {
    try Self.prepare(path)
    let lock = try DirectoryLock(directory: path)
    identity = try Self.identity(path)
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

  /// The same with a configuration that lies in `table`, which replicas have in common. It is published
  /// here and never later: among replicas with different settings the one that started last decides.
  ///
  /// - Parameter interval: how often is looked whether another replica published one.
  /// - Throws: `FileProblem`, and `StoreFailure` also for a table of another provider.
  public init(
    path: String, settings: ProviderSettings, publish: Bool = true,
    sharing table: any ConfigurationTable, pollingEvery interval: Duration = .seconds(2)
  ) async throws {
    self.path = path
    try await Self.checkBelonging(of: path, to: table)
    identity = try Self.lockedIdentity(path)
    configuration = try await PublishedConfiguration(
      sharedIn: table, identity: identity, settings: settings, publish: publish
    ) { [identity] in
      try PublishedConfiguration(path: Self.configurationPath(path), keys: identity.keys)
    }
    configurationSource = ReplicatedConfiguration(
      configuration, in: table, identity: identity, pollingEvery: interval)
  }

  /// Makes `path` unless it is there, and refuses one that must not hold secrets.
  private static func prepare(_ path: String) throws(FileProblem) {
    if let problem = problems(of: path).first { throw problem }
    try PrivateFile.createDirectory(path)
  }

  private static func lockedIdentity(_ path: String) throws(FileProblem) -> ProviderIdentity {
    try prepare(path)
    let lock = try DirectoryLock(directory: path)
    let identity = try identity(path)
    _ = consume lock
    return identity
  }

  /// Refuses a directory without a provider beside a table with one, before another one is made in it.
  private static func checkBelonging(
    of path: String, to table: any ConfigurationTable
  ) async throws {
    func hasProvider() throws(FileProblem) -> Bool {
      try PrivateFile.read(idPath(path), secret: false) != nil
    }
    guard try !hasProvider() else { return }
    do {
      // There is no provider of this id, so whichever is there is another one.
      _ = try await table.configuration(ofProvider: "")
    } catch {
      // Somebody may have made the provider in this directory meanwhile.
      guard try hasProvider() else { throw error }
    }
  }

  /// The provider in `path`. It is made where there is none; its id is written last, and is the mark that
  /// all keys were there: one that is missing beside it was lost and is not made anew.
  private static func identity(_ path: String) throws(FileProblem) -> ProviderIdentity {
    guard try PrivateFile.read(idPath(path), secret: false) == nil else {
      return try existingIdentity(path)
    }
    let keys = try ProviderKeys(directory: path + "/keys")
    return ProviderIdentity(id: try providerID(idPath(path)), keys: keys)
  }

  private static func idPath(_ path: String) -> String { path + "/provider-id" }

  private static func configurationPath(_ path: String) -> String { path + "/configuration.jwt" }

  /// Opens `path` as it is, and makes and changes nothing.
  ///
  /// - Parameter shared: the configuration that a database of replicas holds; nil for the file.
  /// - Throws: `FileProblem` for what is missing too.
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

  /// The id and the keys in `path`, which makes none.
  ///
  /// - Throws: `FileProblem` for what is missing too.
  public static func existingIdentity(_ path: String) throws(FileProblem) -> ProviderIdentity {
    let keys = try ProviderKeys(existing: path + "/keys")
    let idPath = idPath(path)
    guard try PrivateFile.read(idPath, secret: false) != nil else {
      throw FileProblem("there is no file \(idPath)")
    }
    return ProviderIdentity(id: try providerID(idPath), keys: keys)
  }

  /// What a start with `settings` would publish, with the version that is published now.
  public func configuration(for settings: ProviderSettings) -> ConfigurationClaims {
    PublishedConfiguration.claims(
      version: configuration.claims.configurationVersion, identity: identity, settings: settings)
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
