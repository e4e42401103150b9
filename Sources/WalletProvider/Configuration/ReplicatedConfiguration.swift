import WalletProtocol

/// The source of the configuration that is currently served to clients.
public protocol ConfigurationSource: Sendable {
  var published: PublishedConfiguration { get async throws }
}

extension PublishedConfiguration: ConfigurationSource {
  public var published: PublishedConfiguration { self }
}

/// The table that holds the one configuration all replicas serve, as a compact JWS.
public protocol ConfigurationTable: Sendable {
  /// The stored configuration; nil before the first one is published.
  ///
  /// - Throws: `StoreFailure`, also if the table belongs to a provider other than `id`.
  func configuration(ofProvider id: String) async throws -> String?

  /// Replaces the stored configuration with the result of `change` and records that the table
  /// belongs to the provider `id`. No other process can change the table in the meantime.
  ///
  /// - Throws: Like `configuration(ofProvider:)`, and any error of `change`.
  func changeConfiguration(
    ofProvider id: String, _ change: @escaping @Sendable (String?) throws -> String
  ) async throws -> String
}

private let otherKeys =
  "the configuration in the database is not of the keys of this data directory; all replicas need the"
  + " same keys"

extension PublishedConfiguration {
  /// Reads the configuration in `table`. If there is none, or if `publish` is true and it does not
  /// match `settings`, the next version is made and stored in the table.
  ///
  /// - Parameter former: returns the configuration of a provider that moves to a database. The
  ///   first configuration in the table must have a higher version. Called only if the table has
  ///   none.
  init(
    sharedIn table: any ConfigurationTable, identity: ProviderIdentity, settings: ProviderSettings,
    publish: Bool, former: @escaping @Sendable () throws -> PublishedConfiguration?
  ) async throws {
    let compact = try await table.changeConfiguration(ofProvider: identity.id) { found in
      let lost = found.flatMap { Self.claimsOfLostKey($0, identity: identity) }
      // An operator who lost one key still has the others. If no result key of the table is here,
      // this directory was given the provider's id without its keys.
      let own = Self.claims(version: 0, identity: identity, settings: settings)
      if let lost, Set(lost.resultKeys.map(\.id)).isDisjoint(with: own.resultKeys.map(\.id)) {
        throw StoreFailure(otherKeys)
      }
      if !publish, lost != nil { return try Self.verified(found ?? "", by: identity).compact }
      let shared = lost == nil ? try found.map { try Self.verified($0, by: identity) } : nil
      if !publish, let shared { return shared.compact }
      guard
        let next = PublishedConfiguration(
          after: lost == nil ? try shared ?? former() : nil, lost: lost, identity: identity,
          settings: settings)
      else { throw StoreFailure("no further configuration could be signed") }
      return next.compact
    }
    self = try Self.verified(compact, by: identity)
  }

  static func verified(
    _ compact: String, by identity: ProviderIdentity
  ) throws -> PublishedConfiguration {
    guard let configuration = PublishedConfiguration(compact: compact, keys: identity.keys) else {
      throw StoreFailure(otherKeys)
    }
    return configuration
  }
}

/// The configuration that all replicas serve. When it is asked for, the table is read again if the
/// last time was some seconds ago, because another replica may have published a new one. While the
/// database does not answer, the last known configuration is served.
actor ReplicatedConfiguration: ConfigurationSource {
  private let table: any ConfigurationTable
  private let identity: ProviderIdentity
  private var latest: PublishedConfiguration
  private let interval: Duration
  private var isGoodUntil: ContinuousClock.Instant

  init(
    _ latest: PublishedConfiguration, in table: any ConfigurationTable,
    identity: ProviderIdentity, pollingEvery interval: Duration
  ) {
    self.interval = interval
    isGoodUntil = .now + interval
    self.latest = latest
    self.table = table
    self.identity = identity
  }

  var published: PublishedConfiguration {
    get async {
      guard ContinuousClock.now >= isGoodUntil else { return latest }
      // Set before the query, so that concurrent calls do not query the database too.
      isGoodUntil = .now + interval
      if let found = try? await table.configuration(ofProvider: identity.id),
        let configuration = PublishedConfiguration(compact: found, keys: identity.keys),
        configuration.claims.configurationVersion > latest.claims.configurationVersion
      {
        latest = configuration
      }
      return latest
    }
  }
}
