/// Facts about a store, read without changing it.
public struct StoreInspection: Sendable, Equatable {
  /// The database engine with its version, such as "SQLite 3.40.1".
  public var engine: String
  /// The number of migration steps applied, including steps of a newer provider.
  public var schemaVersion: Int
  /// The number of migration steps this provider knows.
  public var knownSchemaVersion: Int
  /// Whether the tables are of an old version that is not taken over. The provider refuses such a
  /// store.
  public var isTooOld: Bool
  /// Milliseconds since 1970 by the store's own clock; nil if it uses the clock of this machine.
  public var time: Int64?
  /// The id of the provider that the store belongs to; nil if it is not recorded.
  public var provider: String?
  /// The published configuration, a compact JWS; nil if the store holds none.
  public var configuration: String?
  /// The ids of the sealing keys on which any row depends, without duplicates; empty if the tables
  /// do not have the schema version that this provider knows.
  public var sealingKeys: [String]
  /// The result of the search for rows that the provider did not write; nil if the rows were not
  /// read.
  public var rows: RowSearch?
  /// Whether it names an evaluator, as far as that was read.
  public var namesEvaluator: Bool { evaluator != nil }

  /// The row that names the evaluator, sealed; nil if there is none or the rows were not read.
  var evaluator: StoredProviderSecret?

  public init(
    engine: String, schemaVersion: Int, knownSchemaVersion: Int, isTooOld: Bool = false,
    time: Int64? = nil, provider: String? = nil, configuration: String? = nil,
    sealingKeys: [String] = []
  ) {
    self.engine = engine
    self.schemaVersion = schemaVersion
    self.knownSchemaVersion = knownSchemaVersion
    self.isTooOld = isTooOld
    self.time = time
    self.provider = provider
    self.configuration = configuration
    self.sealingKeys = sealingKeys
  }
}
