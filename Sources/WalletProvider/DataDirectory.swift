import WalletProtocol

/// The directory that holds all that a provider must not lose: keys, id, published configuration
/// and, unless it is elsewhere, the database.
public struct DataDirectory: Sendable {
  /// As it was given.
  public let path: String
  /// The provider's id and keys.
  public let identity: ProviderIdentity
  /// What is served to clients.
  public let configuration: PublishedConfiguration

  /// The host that enrolment links name, by the published configuration; nil when it names none.
  public var proofingHost: String? { configuration.claims.proofingHosts.first }

  /// Where the SQLite database lies.
  public var databasePath: String { path + "/wallet-provider.sqlite" }

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
    try PrivateFile.createDirectory(path)
    let lock = try DirectoryLock(directory: path)
    let keys = try ProviderKeys(directory: path + "/keys")
    identity = ProviderIdentity(id: try Self.providerID(path + "/provider-id"), keys: keys)
    let configurationPath = path + "/configuration.jwt"
    if !publish, let kept = try PublishedConfiguration(path: configurationPath, keys: keys) {
      configuration = kept
    } else {
      configuration = try PublishedConfiguration(
        path: configurationPath, identity: identity, settings: settings)
    }
    self.path = path
    _ = consume lock
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
