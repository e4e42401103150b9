import WalletProtocol

/// What is served to clients at this moment.
public protocol ConfigurationSource: Sendable {
  var published: PublishedConfiguration { get async throws }
}

extension PublishedConfiguration: ConfigurationSource {
  public var published: PublishedConfiguration { self }
}

/// Where replicas keep the one configuration that all of them serve, as a compact JWS.
public protocol ConfigurationTable: Sendable {
  /// What is there; nil before the first one was published.
  ///
  /// - Throws: `StoreFailure`, also when the table belongs to another provider than `id`.
  func configuration(ofProvider id: String) async throws -> String?

  /// Puts there what `change` makes of what is there, and notes that the table belongs to the provider
  /// `id`. Nobody else changes it meanwhile, in any process.
  ///
  /// - Throws: as `configuration(ofProvider:)`, and what `change` throws.
  func changeConfiguration(
    ofProvider id: String, _ change: @escaping @Sendable (String?) throws -> String
  ) async throws -> String
}

private let otherKeys =
  "the configuration in the database is not of the keys of this data directory; all replicas need the"
  + " same keys"

extension PublishedConfiguration {
  /// The configuration in `table`; where it says something else than `settings` and is to be published,
  /// the next version, which is in the table then.
  ///
  /// - Parameter former: what the first one in the table must exceed; for a provider that moves there,
  ///   and asked for only then.
  init(
    sharedIn table: any ConfigurationTable, identity: ProviderIdentity, settings: ProviderSettings,
    publish: Bool, former: @escaping @Sendable () throws -> PublishedConfiguration?
  ) async throws {
    let compact = try await table.changeConfiguration(ofProvider: identity.id) { found in
      let lost = found.flatMap { Self.claimsOfLostKey($0, identity: identity) }
      // Who lost one key has the others. Who has none of them was given the id and not the keys.
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

/// Looks every few seconds whether another replica published a configuration. While the database does
/// not answer, the last one is served.
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
      // First, so that who asks meanwhile does not ask the database too.
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
