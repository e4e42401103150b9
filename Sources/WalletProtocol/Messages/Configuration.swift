/// A public key of the provider with the id that messages name it by.
public struct PublishedKey: Codable, Equatable, Sendable {
  public var id: String
  /// Base64url of the 32-byte raw key: Ed25519 for signatures, X25519 for encryption.
  public var key: String

  public init(id: String, key: String) {
    self.id = id
    self.key = key
  }
}

/// The configuration that the provider publishes, signed (type `configuration`).
public struct ConfigurationClaims: Codable, Equatable, Sendable {
  /// `wireVersion`.
  public var version: Int
  /// Only increases; a client refuses a lower one than it has seen.
  public var configurationVersion: UInt64
  /// The provider's id: the audience of instructions and the issuer of results.
  public var providerID: String
  /// Ed25519 keys that sign instruction results.
  public var resultKeys: [PublishedKey]
  /// Ed25519 keys that sign wallet certificates.
  public var certificateKeys: [PublishedKey]
  /// X25519 keys that PIN instructions are sealed to; the first one is used.
  public var encryptionKeys: [PublishedKey]
  /// X25519 keys that what a wallet needs to use a copy of a card is sealed to; the first one is
  /// used. Only the provider opens it, when the copy is used.
  public var useKeys: [PublishedKey]
  /// Ed25519 keys of the evaluator, which sign its grants. A wallet whose PIN key was granted with
  /// another key than the first one gets a new PIN key.
  public var evaluatorKeys: [PublishedKey]
  /// The type (`vct`) of the PIDs that the provider issues.
  public var pidType: String
  /// The authorities that other parties' certificates come from, by role.
  public var trustAnchors: [PublishedAnchor]
  /// The exact names of hosts whose enrolment links are accepted.
  public var proofingHosts: [String]
  /// The inactivity in the foreground after which the wallet locks.
  public var inactiveTimeoutMilliseconds: UInt64
  /// The inactivity after which a warning appears. There is no warning if this is not less than the
  /// time-out.
  public var inactiveWarningMilliseconds: UInt64
  /// The time in the background after which the wallet locks.
  public var backgroundTimeoutMilliseconds: UInt64
  /// Argon2id passes for new PIN keys; the core never uses fewer than 3.
  public var pinKeyPasses: UInt32
  /// Argon2id memory for new PIN keys, in bytes; the core never uses less than 64 MiB.
  public var pinKeyMemoryBytes: UInt64
  /// The time until which something may be sealed to `encryptionKeys`, in seconds since 1970.
  /// Before that time the provider signs the configuration again, with the same version. Nil in a
  /// configuration that an app embeds: a client has to fetch one before it seals anything.
  public var validUntil: Int64?

  public init(
    configurationVersion: UInt64, providerID: String, resultKeys: [PublishedKey],
    certificateKeys: [PublishedKey], encryptionKeys: [PublishedKey],
    useKeys: [PublishedKey] = [], evaluatorKeys: [PublishedKey] = [],
    pidType: String = ConfigurationClaims.ownPIDType, trustAnchors: [PublishedAnchor] = [],
    proofingHosts: [String] = [],
    inactiveTimeoutMilliseconds: UInt64 = 300_000, inactiveWarningMilliseconds: UInt64 = 240_000,
    backgroundTimeoutMilliseconds: UInt64 = 300_000, pinKeyPasses: UInt32 = 3,
    pinKeyMemoryBytes: UInt64 = 64 * 1024 * 1024, validUntil: Int64? = nil
  ) {
    self.version = wireVersion
    self.configurationVersion = configurationVersion
    self.providerID = providerID
    self.resultKeys = resultKeys
    self.certificateKeys = certificateKeys
    self.encryptionKeys = encryptionKeys
    self.useKeys = useKeys
    self.evaluatorKeys = evaluatorKeys
    self.pidType = pidType
    self.trustAnchors = trustAnchors
    self.proofingHosts = proofingHosts
    self.inactiveTimeoutMilliseconds = inactiveTimeoutMilliseconds
    self.inactiveWarningMilliseconds = inactiveWarningMilliseconds
    self.backgroundTimeoutMilliseconds = backgroundTimeoutMilliseconds
    self.pinKeyPasses = pinKeyPasses
    self.pinKeyMemoryBytes = pinKeyMemoryBytes
    self.validUntil = validUntil
  }

  enum CodingKeys: String, CodingKey {
    case version
    case configurationVersion = "configuration_version"
    case providerID = "provider_id"
    case resultKeys = "result_keys"
    case certificateKeys = "certificate_keys"
    case encryptionKeys = "encryption_keys"
    case useKeys = "use_keys"
    case evaluatorKeys = "evaluator_keys"
    case pidType = "pid_type"
    case trustAnchors = "trust_anchors"
    case proofingHosts = "proofing_hosts"
    case inactiveTimeoutMilliseconds = "inactive_timeout_ms"
    case inactiveWarningMilliseconds = "inactive_warning_ms"
    case backgroundTimeoutMilliseconds = "background_timeout_ms"
    case pinKeyPasses = "pin_key_passes"
    case pinKeyMemoryBytes = "pin_key_memory_bytes"
    case validUntil = "valid_until"
  }
}

extension ConfigurationClaims {
  /// The type of the PIDs of a provider that states no other one. It claims to be no PID of the EUDI
  /// rulebook, which has claims that a driver's licence does not show.
  public static let ownPIDType = "urn:wallet-provider:pid:1"

  /// Whether the two differ at most in `validUntil`, so that one is a renewal of the other.
  public func isSame(as other: ConfigurationClaims) -> Bool {
    var renewed = self
    renewed.validUntil = other.validUntil
    return renewed == other
  }
}

/// The root of a client's trust, as `wallet-provider client-configuration` prints it and an app
/// embeds it.
public struct ClientConfiguration: Codable, Equatable, Sendable {
  /// The version of this document's format: 1.
  public var schema: Int
  /// The URL of the provider, without a trailing slash.
  public var providerURL: String
  /// PEM of the certificate authority that the provider's TLS certificate must come from; nil
  /// trusts the system's authorities.
  public var certificateAuthority: String?
  /// Whether `http://` to a literal loopback address is allowed. For development only.
  public var allowLoopbackHTTP: Bool
  /// Ed25519 keys that sign the configuration; at least two, one of them kept offline.
  public var configurationSigningKeys: [PublishedKey]
  /// The embedded configuration: a compact JWS of `ConfigurationClaims`.
  public var configuration: String
  /// The update policy that counts until one is fetched: a compact JWS of `UpdatePolicyClaims`. If
  /// nil, a first start without network cannot tell whether the app may be used.
  public var updatePolicy: String?

  public init(
    providerURL: String, certificateAuthority: String? = nil, allowLoopbackHTTP: Bool,
    configurationSigningKeys: [PublishedKey], configuration: String, updatePolicy: String? = nil
  ) {
    self.schema = 1
    self.updatePolicy = updatePolicy
    self.providerURL = providerURL
    self.certificateAuthority = certificateAuthority
    self.allowLoopbackHTTP = allowLoopbackHTTP
    self.configurationSigningKeys = configurationSigningKeys
    self.configuration = configuration
  }

  enum CodingKeys: String, CodingKey {
    case schema, configuration
    case providerURL = "provider_url"
    case certificateAuthority = "certificate_authority"
    case allowLoopbackHTTP = "allow_loopback_http"
    case configurationSigningKeys = "configuration_signing_keys"
    case updatePolicy = "update_policy"
  }
}
