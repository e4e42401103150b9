/// What can be said of a store without changing it.
public struct StoreInspection: Sendable, Equatable {
  /// What it is, with its version, like "SQLite 3.40.1".
  public var engine: String
  /// How many steps its tables have come; those of a newer provider than this one are among them.
  public var schemaVersion: Int
  /// How many steps this provider knows.
  public var knownSchemaVersion: Int
  /// Milliseconds since 1970 by a clock of its own; nil where that is the clock of this machine.
  public var time: Int64?
  /// The id of the provider that it belongs to; nil where it does not say.
  public var provider: String?
  /// The configuration that it publishes, a compact JWS; nil where it holds none.
  public var configuration: String?
  /// The ids of the keys that seal a row, each once; none where the tables are not of the version that
  /// this provider knows.
  public var sealingKeys: [String]

  public init(
    engine: String, schemaVersion: Int, knownSchemaVersion: Int, time: Int64? = nil,
    provider: String? = nil, configuration: String? = nil,
    sealingKeys: [String] = []
  ) {
    self.engine = engine
    self.schemaVersion = schemaVersion
    self.knownSchemaVersion = knownSchemaVersion
    self.time = time
    self.provider = provider
    self.configuration = configuration
    self.sealingKeys = sealingKeys
  }
}
