/// The update policy that the provider publishes, signed anew for each answer (type `updatePolicy`)
/// with a configuration-signing key, so that `issuedAt` tells the client the provider's time.
public struct UpdatePolicyClaims: Codable, Equatable, Sendable {
  /// `wireVersion`.
  public var version: Int
  /// The provider's id.
  public var providerID: String
  /// Seconds since 1970 by the provider's clock; a client refuses a policy older than one that it
  /// has seen.
  public var issuedAt: Int64
  /// All rules. The most severe one that matches the app's version applies; `ok` if none does.
  public var rules: [UpdateRule]
  /// Until when a client may rely on the next two, in seconds since 1970.
  public var validUntil: Int64?
  /// The version of the configuration that the provider publishes.
  public var configurationVersion: UInt64?
  /// The base64url SHA-256 of that configuration's compact JWS.
  public var configurationHash: String?
  /// The `Route.nonceHeader` of the request that this answers, which shows that it is no replay.
  public var nonce: String?

  public init(
    providerID: String, issuedAt: Int64, rules: [UpdateRule], validUntil: Int64? = nil,
    configurationVersion: UInt64? = nil, configurationHash: String? = nil, nonce: String? = nil
  ) {
    self.version = wireVersion
    self.providerID = providerID
    self.issuedAt = issuedAt
    self.rules = rules
    self.validUntil = validUntil
    self.configurationVersion = configurationVersion
    self.configurationHash = configurationHash
    self.nonce = nonce
  }

  enum CodingKeys: String, CodingKey {
    case version, rules, nonce
    case providerID = "provider_id"
    case issuedAt = "iat"
    case validUntil = "valid_until"
    case configurationVersion = "configuration_version"
    case configurationHash = "configuration_hash"
  }
}

/// A rule for a range of app versions.
public struct UpdateRule: Codable, Equatable, Sendable {
  /// What the rule asks for.
  public enum Grade: String, Codable, Sendable {
    /// An update is recommended.
    case recommend
    /// The app may not be used from `from` on; before that, a warning.
    case block
  }

  /// The lowest app version of the range, "1.2.3"; nil for no lower limit.
  public var minimumVersion: String?
  /// The first app version after the range; nil for no upper limit.
  public var belowVersion: String?
  public var grade: Grade
  /// When the rule takes effect, in seconds since 1970; nil for always. A future block is a
  /// warning, with the time left, from `warningSeconds` before.
  public var from: Int64?
  /// How long before a block the warning begins, in seconds; nil: 7 days.
  public var warningSeconds: Int64?
  /// Whether the store has a version that is allowed.
  public var updateAvailable: Bool

  public init(
    minimumVersion: String? = nil, belowVersion: String? = nil, grade: Grade, from: Int64? = nil,
    warningSeconds: Int64? = nil, updateAvailable: Bool = true
  ) {
    self.minimumVersion = minimumVersion
    self.belowVersion = belowVersion
    self.grade = grade
    self.from = from
    self.warningSeconds = warningSeconds
    self.updateAvailable = updateAvailable
  }

  enum CodingKeys: String, CodingKey {
    case grade, from
    case minimumVersion = "minimum_version"
    case belowVersion = "below_version"
    case warningSeconds = "warning_seconds"
    case updateAvailable = "update_available"
  }
}
